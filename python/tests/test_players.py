"""Solver, analysis, computer players and leagues."""

import os
import signal
import threading
import time

import pytest

import noughts
from noughts import Computer, League, Position


@pytest.mark.parametrize(
    "rules, result", [("3x3", "draw"), ("3x3+wild", "win"), ("4x4:3", "win"), ("3x3+notakto+2b", "loss")]
)
def test_published_values(rules, result):
    value = noughts.solve(rules).value
    assert value.result == result
    published = noughts.Rules(rules).published_value
    if published is not None:
        winner = {"win": 0, "loss": 1, "draw": None}[value.result]
        assert published[0].winner == winner


def test_values_are_ordered():
    win = noughts.solve("3x3 xx1/oo1/3 x").value
    draw = noughts.solve("3x3").value
    assert draw < win and win >= draw and win.plies == 1 and draw.plies is None


def test_analysis_agrees_with_solving():
    position = Position("3x3 x2/1o1/2x o")
    analysis = noughts.analyse(position)
    assert [at.move for at in analysis.moves] == position.legal_moves()
    for at in analysis.moves:
        after = position.copy()
        after.play(at.move)
        opposite = {"win": "loss", "loss": "win", "draw": "draw"}
        assert at.verdict.value.result == opposite[noughts.solve(after).value.result]
    assert analysis.best == analysis.pv[0]


def test_limits_turn_proofs_into_estimates():
    assert noughts.solve("15x15:5", nodes=500).value is None
    verdict = noughts.analyse("15x15:5 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o", nodes=500)
    assert any(at.verdict.estimate is not None for at in verdict.moves)
    with pytest.raises(ValueError):
        noughts.solve("3x3", seconds=-1)
    with pytest.raises(noughts.RefusedError, match="the game is over"):
        noughts.solve("3x3 xxx/oo1/3 -")


@pytest.mark.parametrize("name", Computer.names())
def test_every_computer_plays_legal_moves(name):
    for rules in ("3x3", "6x7:4+gravity", "3x3+ultimate"):
        position = Position(rules)
        choice = Computer(name, seed=1).choose(position, nodes=200)
        assert position.is_legal(choice.move)
        assert choice == Computer(name, seed=1).choose(position, nodes=200)


def test_people_and_strangers_are_no_computers():
    with pytest.raises(ValueError, match="a person"):
        Computer("human")
    with pytest.raises(noughts.RefusedError):
        Computer("engine:/nowhere").choose("15x15:5")


def test_searches_release_the_lock():
    done = threading.Event()

    def search():
        noughts.solve("6x7:4+gravity", nodes=300_000)
        done.set()

    threading.Thread(target=search).start()
    counted = 0
    while not done.is_set():
        counted += 1
    assert counted > 0


def test_control_c_ends_a_search():
    # Shells make their background jobs ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        noughts.solve("15x15:5", seconds=120)
    assert time.monotonic() - start < 60


def test_leagues_rate_and_retract():
    league = League("elo")
    ids = [league.report(["Ann", "Bob"], winner=0), league.report(["bob", "Cy"], at=7)]
    assert [row.player for row in league.top()] == ["Ann", "Cy", "Bob"]
    assert league.standing("ANN").rank == 1
    assert league.head_to_head("Ann", "Bob").wins == 1
    assert league.opponents("Bob") == [("Ann", league.head_to_head("Bob", "Ann"))] + [
        ("Cy", league.head_to_head("Bob", "Cy"))
    ]
    assert [point[:2] for point in league.rating_over_time("Bob")] == [(ids[1], 7), (ids[0], 0)]
    assert [row.player for row in league.neighbours("Cy", 1)] == ["Ann", "Cy", "Bob"]
    assert league.page(2, 1) == league.top(2)[1:]
    league.retract(ids[0])
    assert league.standing("Ann") is None and len(league) == 2
    with pytest.raises(ValueError, match="already retracted"):
        league.retract(ids[0])
    with pytest.raises(ValueError, match="is not a rating system"):
        League("chess")
    with pytest.raises(ValueError, match="elo rates games of 2 players"):
        league.report(["a", "b", "c"])
