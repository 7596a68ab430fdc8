"""Trains a small network by self-play on 4x4 with three in a row, in numpy alone.

    python examples/self_play.py [STEPS]

An actor-critic: 512 games are played side by side, the network plays both seats, and each step
learns from the value of the position that it led to. Then it plays against computer players.
"""

import os
import sys
import time

# The matrices are small: threads would wait for each other. Read when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from noughts import VecEnv

RULES = "4x4:3"
GAMES = 512
HIDDEN = 128
LEARNING_RATE = 2e-3
ENTROPY_BONUS = 0.01

Array = npt.NDArray[np.float32]


def features(env: VecEnv) -> Array:
    """The stones of the seat to move and those of the other, as one row for each game."""
    boards = env.boards.reshape(len(env), -1)
    own = env.turns[:, None] + 1
    planes = np.concatenate([boards == own, boards == 3 - own], axis=1)
    return np.asarray(planes, np.float32)


class Network:
    """A hidden layer, logits of the moves, and the value for the seat to move; trained by Adam."""

    def __init__(self, inputs: int, moves: int, rng: np.random.Generator) -> None:
        def layer(rows: int, cols: int) -> Array:
            return np.asarray(rng.standard_normal((rows, cols)) / np.sqrt(rows), np.float32)

        self.weights = [
            layer(inputs, HIDDEN),
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, moves) * 0.01,
            layer(HIDDEN, 1) * 0.01,
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def forward(self, x: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the logits and the values."""
        first, bias, policy, value = self.weights
        hidden = np.maximum(x @ first + bias, 0)
        return hidden, hidden @ policy, np.tanh(hidden @ value)[:, 0]

    def train(self, x: Array, hidden: Array, d_logits: Array, d_values: Array) -> None:
        """A step of Adam along the gradients of the outputs."""
        _, _, policy, value = self.weights
        d_hidden = (d_logits @ policy.T + d_values[:, None] @ value.T) * (hidden > 0)
        gradients = [
            x.T @ d_hidden,
            d_hidden.sum(0),
            hidden.T @ d_logits,
            hidden.T @ d_values[:, None],
        ]
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self.moments):
            mean += 0.1 * (gradient / len(x) - mean)
            square += 0.001 * ((gradient / len(x)) ** 2 - square)
            corrected = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight -= LEARNING_RATE * mean / (1 - 0.9**self.steps) / corrected


def probabilities(logits: Array, masks: npt.NDArray[np.bool_]) -> Array:
    """The softmax over the legal moves."""
    masked = np.where(masks, logits, -np.inf)
    weights = np.exp(masked - masked.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True), np.float32)


def draw(chances: Array, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """A move for each row, with the chances of its columns."""
    # The Gumbel trick: the largest of the perturbed logarithms has the wanted chances.
    with np.errstate(divide="ignore"):
        perturbed = np.log(chances) + rng.gumbel(size=chances.shape)
    return np.asarray(np.argmax(perturbed, axis=1))


def train(steps: int, rng: np.random.Generator) -> Network:
    env = VecEnv(RULES, GAMES, seed=1)
    network = Network(2 * env.rules.cell_count, env.rules.move_count, rng)
    x = features(env)
    rows = np.arange(GAMES)
    for _ in range(steps):
        hidden, logits, values = network.forward(x)
        chances = probabilities(logits, env.masks)
        moves = draw(chances, rng)
        rewards, dones = env.step(moves)
        after = features(env)
        # What is good for the other seat is bad for this one.
        targets = np.where(dones, rewards, -network.forward(after)[2])
        advantages = targets - values
        chosen = np.zeros_like(chances)
        chosen[rows, moves] = 1
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(chances > 0, np.log(chances), 0)
        entropies = -(chances * logs).sum(1, keepdims=True)
        d_logits = advantages[:, None] * (chances - chosen)
        d_logits += ENTROPY_BONUS * chances * (logs + entropies)
        d_values = -advantages * (1 - values**2)
        network.train(x, hidden, d_logits.astype(np.float32), d_values.astype(np.float32))
        x = after
    return network


def result(network: Network, opponent: str, seat: int) -> float:
    """The share of games that the network wins, with its most likely moves."""
    env = VecEnv(RULES, 200, opponents=opponent, seat=seat, seed=7)
    finished, won = 0, 0
    while finished < 400:
        logits = network.forward(features(env))[1]
        rewards, dones = env.step(np.where(env.masks, logits, -np.inf).argmax(1))
        finished += int(dones.sum())
        won += int((rewards == 1).sum())
    return won / finished


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    start = time.perf_counter()
    network = train(steps, np.random.default_rng(1))
    print(f"{steps * GAMES:,} moves in {time.perf_counter() - start:.1f} s")
    for opponent in ("random", "easy", "medium"):
        shares = [result(network, opponent, seat) for seat in range(2)]
        print(f"against {opponent}: wins {shares[0]:.0%} as first, {shares[1]:.0%} as second")
        if opponent == "random" and shares[0] < 0.9:
            sys.exit("the network has not learnt to win as the first player")


if __name__ == "__main__":
    main()
