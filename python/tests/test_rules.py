"""Rules, positions and games."""

import copy
import pickle

import numpy as np
import pytest

import noughts
from noughts import Event, Game, Outcome, Player, Position, RefusedError, Rules, Status


def test_presets_are_rules():
    presets = dict(Rules.presets())
    assert presets["connect4"] == "6x7:4+gravity"
    for name, text in presets.items():
        assert Rules(name) == Rules(text) and str(Rules(name)) == text


def test_values_are_pickled_and_copied():
    rules = Rules("connect4")
    position = Position(rules)
    position.play("F4")
    game = Game("3x3", [Player("Ann", "❎"), Player("Bob", "🛑")])
    game.play("B2")
    for value in (rules, position, game, game.players[0]):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    copied = copy.copy(position)
    copied.play("F1")
    assert copied != position
    assert {rules: 1}[Rules("connect4")] == 1


def test_moves_are_texts_or_indices():
    rules = Rules("3x3+wild")
    position = Position(rules)
    position.play("B2=o")
    position.play(np.int64(0))
    assert position.history == [(0, "B2=o"), (1, "A1=x")]
    assert position.legal_indices() == list(np.flatnonzero(position.legal_mask()))
    assert sorted(map(rules.move_index, position.legal_moves())) == position.legal_indices()
    numbers = [position.nth_index(n) for n in range(position.move_count)]
    assert sorted(numbers) == position.legal_indices()
    for index in range(rules.move_count):
        assert rules.move_index(rules.move_name(index)) == index


@pytest.mark.parametrize(
    "move, error",
    [("Z", ValueError), (9, IndexError), (-1, OverflowError), (1.5, TypeError), (None, TypeError)],
)
def test_what_is_no_move_is_refused(move, error):
    position = Position("3x3")
    with pytest.raises(error):
        position.play(move)
    assert position == Position("3x3")


def test_refusals_say_why_and_change_nothing():
    position = Position("3x3")
    position.play("B2")
    with pytest.raises(RefusedError, match="B2 is taken"):
        position.play("B2")
    with pytest.raises(RefusedError):
        Position("3x3").undo()
    assert position.history == [(0, "B2")]
    assert issubclass(RefusedError, ValueError)


def test_boards_are_arrays_in_the_shape_of_the_board():
    position = Position("3x3x3")
    position.play("2B3")
    assert position.board().shape == (3, 3, 3)
    assert position.board()[1, 1, 2] == 1
    out = np.full((3, 3, 3), 9, np.uint8)
    assert position.board(out) is out
    assert (out == position.board()).all()
    with pytest.raises(ValueError, match="expected an array of 27 elements, got 4"):
        position.board(np.zeros(4, np.uint8))
    with pytest.raises(TypeError):
        position.board(np.zeros((3, 3, 3), np.int64))


def test_outcomes_reward_seats():
    outcome = Position("3x3 xx1/oo1/3 x").play("A3")
    assert outcome == Position("3x3 xxx/oo1/3 -").outcome
    assert [outcome.reward(seat) for seat in range(2)] == [1, -1]
    assert isinstance(outcome, Outcome) and outcome.winner == 0


def test_games_tell_what_happened():
    game = Game("3x3+ultimate")
    events = game.play("A1")
    assert events == [
        Event.Moved(seat=0, move="A1", mark="x"),
        Event.Turn(seat=1, stones=1, board=0),
    ]
    assert game.undo()[0] == Event.MoveUndone(0, "A1")
    assert game.redo() == events
    with pytest.raises(RefusedError, match="turn"):
        game.play("B2", seat=0)
    assert game.resign(1)[-1] == Event.Finished(Status.Won(0, []))
    assert game.history == [(0, "A1"), (1, None)]
    assert game.outcome.winner == 0 and game.turn is None


def test_games_are_written_and_read():
    game = Game("gomoku-standard")
    for move in ["H8", "H9", "J10"]:
        game.play(move)
    for read, write in [
        (Game.parse, str),
        (Game.from_sgf, Game.to_sgf),
        (Game.from_psq, Game.to_psq),
    ]:
        assert read(write(game)).history == game.history
    with pytest.raises(ValueError, match="is not gomoku"):
        Game("3x3").to_sgf()
    with pytest.raises(ValueError, match="line 1: expected `rules`"):
        Game.parse("")


def test_players_must_fit_the_rules():
    with pytest.raises(ValueError, match="expected 2 players, got 1"):
        Game("3x3", [Player("Ann", "X")])
    with pytest.raises(ValueError, match="same symbol"):
        Game("3x3", [Player("Ann", "X"), Player("Bob", "X")])


def test_playouts_count_every_game_and_leave_the_position():
    position = Position("connect4")
    position.play("F4")
    before = position.copy()
    result = noughts.playouts(position, 500, seed=1)
    assert sum(result.wins) + result.draws == 500
    assert 500 * 6 < result.moves < 500 * 41
    assert result == noughts.playouts(position, 500, seed=1)
    assert position == before
    assert noughts.playouts("3x3 xxx/oo1/3 -", 3).wins == [3, 0]
