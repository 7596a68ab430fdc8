"""Steps a second of processor time in random games, here, in OpenSpiel and in PettingZoo.

    cargo xtask python speed

All contestants take turns in one process, and the best of several rounds counts. Look at the ratios:
the rest depends on the machine. `PLAYOUTS`, if set, is the built example `playouts` of noughts-engine.
"""

import importlib
import os
import random
import resource
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel

from noughts import Position, VecEnv, playouts
from noughts.envs import aec_env

ROUNDS = 7
SECONDS_PER_ROUND = 0.25
BATCH = 1_024

GAMES = [
    ("tic-tac-toe", "3x3", "tic_tac_toe", "tictactoe_v3"),
    ("Connect Four", "6x7:4+gravity", "connect_four", "connect_four_v3"),
    ("gomoku 15x15", "15x15:5", "gomoku(size=15,connect=5)", None),
]

Contestant = Callable[[], int]
"""Plays some games and returns the number of steps."""


def openspiel(name: str, observe: bool) -> Contestant:
    game = pyspiel.load_game(name)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if observe:
                state.observation_tensor()
                state.legal_actions_mask()
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def single_steps(rules: str, observe: bool) -> Contestant:
    position = Position(rules)
    board, mask = position.board(), position.legal_mask()

    def play() -> int:
        position.clear()
        steps = 0
        while not position.is_over:
            if observe:
                position.board(board)
                position.legal_mask(mask)
            position.play(random.choice(position.legal_indices()))
            steps += 1
        return steps

    return play


def batched_steps(rules: str, opponents: str | None) -> Contestant:
    env = VecEnv(rules, BATCH, opponents=opponents, threads=1)

    def play() -> int:
        for _ in range(8):
            env.step(env.sample())
        return 8 * BATCH

    return play


def agent_steps(env: Any) -> Contestant:
    rng = np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
            steps += 1
        return steps

    return play


def pettingzoo(name: str) -> Contestant:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return agent_steps(importlib.import_module(f"pettingzoo.classic.{name}").env())


def inside_rust(rules: str) -> Contestant:
    return lambda: playouts(rules, 2_000).moves


def rust_program(rules: str, program: str) -> float:
    """Steps a second of the same loop in a program in Rust."""
    games = 20_000 if rules == "15x15:5" else 400_000
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    moves = int(subprocess.run([program, rules, str(games)], capture_output=True, check=True).stdout)
    return moves / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def rates(contestants: dict[str, Contestant]) -> dict[str, float]:
    """The best steps a second of each, in turns."""
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(ROUNDS):
        for name, play in contestants.items():
            start, steps = time.process_time(), 0
            while (seconds := time.process_time() - start) < SECONDS_PER_ROUND:
                steps += play()
            best[name] = max(best[name], steps / seconds)
    return best


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the table: a name, and a cell for each game."""
    program = os.environ.get("PLAYOUTS")
    columns, in_rust = [], []
    for _, rules, spiel, zoo in GAMES:
        contestants = {
            "OpenSpiel, one by one": openspiel(spiel, observe=False),
            "noughts.Position, one by one": single_steps(rules, observe=False),
            "OpenSpiel, with observation and mask": openspiel(spiel, observe=True),
            "noughts.Position, with board and mask": single_steps(rules, observe=True),
            "noughts.VecEnv, with board and mask": batched_steps(rules, None),
            "noughts.VecEnv against random replies": batched_steps(rules, "random"),
            "noughts.envs.aec_env": agent_steps(aec_env(rules)),
            "noughts.playouts": inside_rust(rules),
        }
        if zoo is not None:
            contestants["PettingZoo"] = pettingzoo(zoo)
        columns.append(rates(contestants))
        if program:
            in_rust.append(max(rust_program(rules, program) for _ in range(ROUNDS)))
    for name in sorted({name for column in columns for name in column}, key=list(columns[0]).index):
        cells = (f"{c[name] / 1e6:.3g} M" if name in c else "–" for c in columns)
        yield (name, *cells)
    if in_rust:
        yield ("the loop of noughts.playouts in Rust", *(f"{r / 1e6:.3g} M" for r in in_rust))

    def ratio(a: str, b: str) -> tuple[str, ...]:
        return tuple(f"{c[a] / c[b]:.1f}" if b in c else "–" for c in columns)

    spiel_observed = "OpenSpiel, with observation and mask"
    yield ("ratio: VecEnv to OpenSpiel, with observations (at least 10)",
           *ratio("noughts.VecEnv, with board and mask", spiel_observed))
    yield ("ratio: one by one to OpenSpiel (at least 1)",
           *ratio("noughts.Position, one by one", "OpenSpiel, one by one"))
    yield ("ratio: aec_env to PettingZoo", *ratio("noughts.envs.aec_env", "PettingZoo"))
    if in_rust:
        slower = (r / c["noughts.playouts"] for r, c in zip(in_rust, columns))
        yield ("ratio: Rust to playouts from Python (at most 1.3)", *(f"{r:.2f}" for r in slower))


def main() -> None:
    print("| steps a second of processor time |", " | ".join(game for game, *_ in GAMES), "|")
    print("| --- |" + " ---: |" * len(GAMES))
    for row in rows():
        print("|", " | ".join(row), "|")


if __name__ == "__main__":
    main()
