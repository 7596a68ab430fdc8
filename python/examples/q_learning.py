"""Learns tic-tac-toe by tabular Q-learning from self-play, and checks what it learnt with the solver.

    python examples/q_learning.py [GAMES]

Every position that the greedy policy can meet, whatever the other side plays, is solved exactly: the
policy must not throw away a draw or a win anywhere.
"""

import random
import sys
import time
from collections import defaultdict

from noughts import Position, solve

RULES = "3x3"
# The game is deterministic, so that a single result tells a lot.
LEARNING_RATE = 0.8


class QTable:
    """The expected result of each move for the seat that makes it, by the key of the position."""

    def __init__(self) -> None:
        self.values: defaultdict[int, dict[int, float]] = defaultdict(dict)

    def best(self, position: Position) -> int:
        """The move with the highest value; untried moves count as draws."""
        values = self.values[position.key]
        return max(position.legal_indices(), key=lambda move: values.get(move, 0.0))

    def worth(self, position: Position) -> float:
        """The value of the position for the seat to move."""
        values = self.values[position.key]
        return max(values.get(move, 0.0) for move in position.legal_indices())

    def update(self, key: int, move: int, target: float) -> None:
        """Moves a value towards what was just seen."""
        old = self.values[key].get(move, 0.0)
        self.values[key][move] = old + LEARNING_RATE * (target - old)


def learn(games: int, seed: int = 1) -> QTable:
    """Plays games against itself, at first nearly at random, later mostly by the table."""
    table, rng, position = QTable(), random.Random(seed), Position(RULES)
    for game in range(games):
        exploration = max(0.5, 1 - game / games)
        position.clear()
        while not position.is_over:
            key = position.key
            explore = rng.random() < exploration
            move = rng.choice(position.legal_indices()) if explore else table.best(position)
            seat = position.turn
            assert seat is not None
            outcome = position.play(move)
            # What is good for the other side is bad for this one.
            target = outcome.reward(seat) if outcome else -table.worth(position)
            table.update(key, move, target)
    return table


def mistakes(table: QTable, seat: int) -> tuple[int, int]:
    """How many moves of the table's policy as a seat give away a better result, and of how many."""
    position, seen, wrong = Position(RULES), set[int](), 0

    def visit() -> None:
        nonlocal wrong
        if position.is_over or position.key in seen:
            return
        seen.add(position.key)
        if position.turn != seat:
            moves = position.legal_indices()
        else:
            moves = [table.best(position)]
            wrong += is_mistake(position, moves[0])
        for move in moves:
            position.play(move)
            visit()
            position.undo()

    visit()
    return wrong, len(seen)


def is_mistake(position: Position, move: int) -> bool:
    """Whether the move leads to a worse result than the best one does."""
    results = {"loss": -1, "draw": 0, "win": 1}
    value = solve(position).value
    seat = position.turn
    after = position.copy()
    outcome = after.play(move)
    assert value is not None and seat is not None
    if outcome:
        return outcome.reward(seat) < results[value.result]
    reply = solve(after).value
    assert reply is not None
    return -results[reply.result] < results[value.result]


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    start = time.perf_counter()
    table = learn(games)
    print(f"{games:,} games in {time.perf_counter() - start:.1f} s, {len(table.values):,} positions")
    for seat in range(2):
        wrong, count = mistakes(table, seat)
        print(f"as seat {seat}: {wrong} mistakes in {count} positions that can occur")
        if wrong:
            sys.exit("the policy is not perfect yet: let it play more games")


if __name__ == "__main__":
    main()
