"""The environments against the checkers of PettingZoo and Gymnasium."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import noughts
from noughts.envs import OpponentEnv, aec_env

EVERY_KIND = [
    "3x3",
    "6x7:4+gravity",
    "4x4x4",
    "3x3+ultimate",
    "3x3+wild",
    "3x3+notakto+2b",
    "4x4:3+fade4",
    "6x6:5+2s",
    "5x5:3+3p",
    "15x15:5+swap2",
    "4x4:4+order",
]


@pytest.mark.parametrize("rules", EVERY_KIND)
def test_aec_env_passes_the_api_test(rules, capsys):
    with warnings.catch_warnings():
        # The test recommends observations that are arrays, and images of a certain size.
        warnings.simplefilter("ignore")
        api_test(aec_env(rules), num_cycles=300)


@pytest.mark.parametrize("rules", ["3x3", "6x7:4+gravity", "3x3+ultimate"])
def test_aec_env_passes_the_seed_test(rules, capsys):
    seed_test(lambda: aec_env(rules), num_cycles=50)


def test_aec_env_rewards_the_winner():
    env = aec_env("3x3")
    env.reset()
    for move in [0, 3, 1, 4, 2]:
        env.step(move)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values())


def test_aec_env_ends_after_an_illegal_move():
    env = aec_env("3x3")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_1"] == -1


@pytest.mark.parametrize("opponent", ["random", "easy", "perfect"])
@pytest.mark.parametrize("rules", ["3x3", "6x7:4+gravity", "3x3+ultimate"])
def test_opponent_env_passes_the_env_checker(rules, opponent):
    env = gymnasium.make("noughts/Opponent-v0", rules=rules, opponent=opponent, nodes=100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env.unwrapped)


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_beats_perfect_play(seat):
    env = OpponentEnv("3x3", opponent="perfect", seat=seat)
    rng = np.random.default_rng(1)
    results = []
    for _ in range(30):
        env.reset(seed=len(results))
        done = False
        while not done:
            move = rng.choice(env.action_masks().nonzero()[0])
            _, reward, done, _, _ = env.step(move)
        results.append(reward)
    assert max(results) <= 0 and min(results) == -1


def test_opponent_env_ends_after_an_illegal_move():
    env = OpponentEnv("3x3", seat=0)
    env.reset(seed=1)
    env.step(4)
    assert env.step(4)[1:] == (-1.0, True, False, {"illegal_move": True})


def test_observations_put_the_own_mark_first():
    position = noughts.Position("3x3 xo1/3/3 x")
    seen = [noughts.envs.observation.observe(position, seat)["observation"] for seat in (0, 1)]
    assert (seen[0] == seen[1][..., ::-1]).all()
