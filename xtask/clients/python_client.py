"""Plays a game with a client that openapi-python-client has generated: python_client.py SERVER

Meanwhile it follows the streams, and checks their lines against the schemas of the AsyncAPI document.
"""

import json
import sys
import threading

import httpx
from jsonschema import Draft202012Validator

from noughts_client import AuthenticatedClient, Client
from noughts_client.api.accounts import create_guest
from noughts_client.api.games import command, create, events, show
from noughts_client.models import (
    CommandReply,
    CommandRequest,
    ErrorBody,
    ErrorCode,
    GamePhase,
    GameView,
    Level,
    MoveCommand,
    MovedEvent,
    NewGame,
    SeatForComputer,
    SeatForMe,
    Session,
)

server = sys.argv[1]
asyncapi = httpx.get(f"{server}/api/v1/asyncapi.json").json()


def message_types(channel, lines):
    """Checks lines of a stream up to the end of the game, and returns the types of its messages."""
    names = asyncapi["channels"][channel]["messages"]
    types = []
    for line in lines:
        if not line.strip():
            continue
        message = json.loads(line)
        fitting = [
            name
            for name in names
            if Draft202012Validator(
                {"$ref": f"#/components/schemas/{name}", "components": asyncapi["components"]}
            ).is_valid(message)
        ]
        assert len(fitting) == 1, f"{message} fits {fitting}"
        types.append(message["type"])
        if message["type"] == "game_ended" or message.get("phase") == "finished":
            break
    return types


session = create_guest.sync(client=Client(base_url=server))
assert isinstance(session, Session), session
client = AuthenticatedClient(base_url=server, token=session.token)
headers = {"Authorization": f"Bearer {session.token}"}
streams = httpx.Client(base_url=server, headers=headers, timeout=60)
followed = {}


def follow(channel, path):
    with streams.stream("GET", path) as response:
        followed[channel] = message_types(channel, response.iter_lines())


player = threading.Thread(target=follow, args=("playerStream", "/api/v1/stream"))
player.start()
seats = [SeatForMe(for_="me"), SeatForComputer(for_="computer", level=Level.EASY)]
game = create.sync(client=client, body=NewGame(rules="3x3", seats=seats))
assert isinstance(game, GameView), game
watched = threading.Thread(target=follow, args=("gameStream", f"/api/v1/games/{game.id}/stream"))
watched.start()
while game.phase == GamePhase.LIVE:
    if game.turn != game.your_seats[0]:
        game = show.sync(game.id, client=client)
        continue
    move = MoveCommand(type_="move", move=game.legal[0])
    request = CommandRequest(command=move, seq=game.seq, key=str(game.seq))
    reply = command.sync(game.id, client=client, body=request)
    assert isinstance(reply, CommandReply), reply
    game = reply.game
last = events.sync(game.id, client=client)[-1]
assert isinstance(last.event, MovedEvent), last

refused = create.sync(client=client, body=NewGame(rules="3x3", seats=[]))
assert isinstance(refused, ErrorBody) and refused.code == ErrorCode.SEAT_COUNT, refused
for thread in (player, watched):
    thread.join()
assert {"game_started", "your_turn", "game_ended"} <= set(followed["playerStream"]), followed
assert followed["gameStream"][0] == "state" and "update" in followed["gameStream"], followed
print(f"{' '.join(game.moves)}: {game.result.reason.value}")
