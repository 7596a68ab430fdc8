import json, random, urllib.request

server, headers = "http://localhost:8000/api/v1", {"Content-Type": "application/json"}

def send(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(server + path, data, headers))

headers["Authorization"] = "Bearer " + json.load(send("/guests", {}))["token"]
send("/games", {"rules": "3x3", "seats": [{"for": "me"}, {"for": "computer", "level": "easy"}]})

for line in send("/stream"):
    if not line.strip():
        continue  # the connection is alive
    event = json.loads(line)
    game = event["game"]
    if event["type"] == "your_turn":
        move = {"type": "move", "move": random.choice(game["legal"])}
        send(f"/games/{game['id']}/commands", {"command": move, "seq": game["seq"], "key": str(game["seq"])})
    elif event["type"] == "game_ended":
        print(game["moves"], game["result"])
        break
