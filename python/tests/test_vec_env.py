"""The batched environment: its arrays say what the positions of its games are."""

import copy
import threading

import numpy as np
import pytest

import noughts
from noughts import VecEnv

RULES = [
    "3x3",
    "3x3+misere",
    "6x7:4+gravity",
    "15x15:5",
    "15x15:5+renju",
    "4x4x4+gravity",
    "3x3+ultimate",
    "3x3+wild",
    "3x3+notakto+2b",
    "4x4:3+fade4",
    "6x6:5+2s",
    "5x5:3+3p",
    "6x6:4+swap2",
    "4x4:4+order",
]


def assert_arrays_match_positions(env):
    for game in range(len(env)):
        position = env.position(game)
        assert (env.boards[game] == position.board()).all()
        assert (env.masks[game] == position.legal_mask()).all()
        assert env.turns[game] == position.turn


@pytest.mark.parametrize("opponents", [None, "random", ["random", "easy"]])
@pytest.mark.parametrize("rules", RULES)
def test_arrays_match_positions(rules, opponents):
    env = VecEnv(rules, 6, opponents=opponents, seed=3)
    assert_arrays_match_positions(env)
    ended = 0
    for _ in range(60):
        before = [env.position(game) for game in range(len(env))]
        moves = env.sample().copy()
        rewards, dones = env.step(moves)
        assert_arrays_match_positions(env)
        ended += dones.sum()
        for position, move, reward, done in zip(before, moves, rewards, dones):
            seat = position.turn
            outcome = position.play(move)
            if opponents is None:
                assert done == (outcome is not None)
            if outcome is not None:
                assert done and reward == outcome.reward(seat)
            if not done:
                assert reward == 0
    if rules != "15x15:5" and "15x15" not in rules:
        assert ended > 0


def test_steps_refuse_illegal_moves_and_change_nothing():
    env = VecEnv("3x3", 3)
    env.step([0, 1, 2])
    before = [env.position(game) for game in range(3)]
    with pytest.raises(noughts.RefusedError, match="game 1: A2 is taken"):
        env.step([4, 1, 4])
    with pytest.raises(IndexError, match="game 2: move 9 is out of range"):
        env.step([4, 4, 9])
    with pytest.raises(IndexError, match="game 0: move -1"):
        env.step([-1, 4, 4])
    with pytest.raises(ValueError, match="expected 3 moves, got 2"):
        env.step([4, 4])
    assert [env.position(game) for game in range(3)] == before
    assert_arrays_match_positions(env)


def play(env, steps):
    """All that happens in some steps of random moves."""
    seen = []
    for _ in range(steps):
        rewards, dones = env.step(env.sample())
        seen.append([env.boards.copy(), env.turns.copy(), rewards.copy(), dones.copy()])
    return seen


@pytest.mark.parametrize("opponents", [None, "random", "medium"])
def test_threads_do_not_change_games(opponents):
    one, four = (
        play(VecEnv("4x4:3", 200, opponents=opponents, threads=threads, seed=5), 15)
        for threads in (1, 4)
    )
    for a, b in zip(one, four):
        assert all((x == y).all() for x, y in zip(a, b))


def test_reset_starts_the_same_games_again():
    env = VecEnv("3x3", 50, opponents="random", seed=1)
    first = play(env, 10)
    env.reset(seed=1)
    again = play(env, 10)
    env.reset(seed=2)
    other = play(env, 10)
    same = [(x == y).all() for a, b in zip(first, again) for x, y in zip(a, b)]
    assert all(same)
    assert any((x != y).any() for a, b in zip(first, other) for x, y in zip(a, b))


def test_the_seat_is_fixed_or_changes():
    assert set(VecEnv("3x3", 8, opponents="random", seat=1).turns) == {1}
    assert list(VecEnv("3x3", 4, opponents="random").turns) == [1, 0, 1, 0]
    env = VecEnv("3x3", 1, opponents="random", seed=1)
    seats = []
    while len(seats) < 4:
        if env.step(env.sample())[1][0]:
            seats.append(int(env.turns[0]))
    assert seats in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_perfect_opponents_never_lose():
    env = VecEnv("3x3", 40, opponents="perfect", seed=1)
    rewards = np.concatenate([env.step(env.sample())[0] for _ in range(12)])
    assert rewards.min() == -1 and rewards.max() <= 0


def test_python_can_only_read_the_arrays():
    env = VecEnv("3x3", 2)
    for array in (env.boards, env.masks, env.turns, env.rewards, env.dones):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1


def test_steps_release_the_lock():
    env = VecEnv("15x15:5", 8, opponents="hard", threads=1, seed=1)
    running, counted = threading.Event(), 0
    running.set()

    def steps():
        for _ in range(3):
            env.step(env.sample())
        running.clear()

    thread = threading.Thread(target=steps)
    thread.start()
    while running.is_set():
        counted += 1
    thread.join()
    assert counted > 0


def test_a_seat_that_never_moves_is_refused():
    with pytest.raises(ValueError, match="the game is over before your first move"):
        VecEnv("1x1", 1, opponents="random", seat=1)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"count": 0}, "at least one game"),
        ({"opponents": "grandmaster"}, "`grandmaster` is not a player: expected random, easy"),
        ({"seat": 2}, "seat 2 is out of range"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        VecEnv("3x3", **{"count": 1, **options})
