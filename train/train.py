"""Trains the network that evaluates five in a row (see README.md)."""

import argparse
import itertools
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

SHAPES = 10
CLASSES = [sum(shape * 10**i for i, shape in enumerate(shapes))
           for shapes in itertools.combinations_with_replacement(range(SHAPES), 4)]

# As in crates/engine/src/search/pattern/network.rs.
WIDTH = 32
HIDDEN = 16
ACCUMULATOR_ONE = 512
WEIGHT_ONE = 256
HIDDEN_ONE = 256
MAX_ACTIVATION = 4
EVAL_ONE = 400
MAGIC = b"NOUGHTS1"

# Open lines in all directions: cells far from all stones add nothing.
FAR_CLASS = CLASSES.index(2222)


# The numbers before the classes of a record: result, score, pattern evaluation, chosen cell, cells.
HEAD = 5


class Data:
    """The positions of the files that the example `eval_inputs` writes."""

    def __init__(self, paths: list[Path], result_share: float):
        words = np.concatenate([np.fromfile(path, dtype="<i2") for path in paths])
        starts, at, as_list = [], 0, words.tolist()
        while at < len(as_list):
            starts.append(at)
            at += HEAD + 2 * as_list[at + HEAD - 1]
        heads = words[np.array(starts)[:, None] + np.arange(HEAD)]
        is_class = np.ones(len(words), bool)
        is_class[(np.array(starts)[:, None] + np.arange(HEAD)).ravel()] = False
        class_of = np.full(10**4, -1, np.int16)
        # In lexicographic order, as the engine numbers them.
        class_of[CLASSES] = np.arange(len(CLASSES))
        self.classes = class_of[words[is_class]].reshape(-1, 2)
        assert (self.classes >= 0).all()
        self.counts = heads[:, HEAD - 1].astype(np.int64)
        self.chosen = heads[:, 3].astype(np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.counts)[:-1]])
        self.results = torch.from_numpy((heads[:, 0] / 2).astype(np.float32))
        scores = torch.sigmoid(torch.from_numpy(heads[:, 1] / EVAL_ONE).float())
        self.evals = torch.sigmoid(torch.from_numpy(heads[:, 2] / EVAL_ONE).float())
        self.targets = result_share * self.results + (1 - result_share) * scores

    def batch(self, positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        counts = self.counts[positions]
        offsets = np.cumsum(counts) - counts
        cells = np.repeat(self.starts[positions] - offsets, counts) + np.arange(counts.sum())
        return torch.from_numpy(self.classes[cells].astype(np.int32)), torch.from_numpy(offsets.astype(np.int32))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        def embedding():
            bag = nn.EmbeddingBag(len(CLASSES), WIDTH, mode="sum", padding_idx=FAR_CLASS)
            nn.init.normal_(bag.weight, std=0.02)
            return bag
        self.own, self.other = embedding(), embedding()
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.5))
        self.hidden = nn.Linear(WIDTH, HIDDEN)
        self.output = nn.Linear(HIDDEN, 1)

    def forward(self, classes: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        sums = self.own(classes[:, 0].contiguous(), offsets) + self.other(classes[:, 1].contiguous(), offsets)
        accumulators = torch.clamp(sums + self.bias, 0, MAX_ACTIVATION)
        return self.output(torch.relu(self.hidden(accumulators))).squeeze(1)

    def write(self, path: Path) -> None:
        """Writes the weights in the engine's integers."""

        def narrow(tensor: torch.Tensor, one: int) -> bytes:
            numbers = np.rint(tensor.detach().numpy() * one)
            assert np.abs(numbers).max() < 2**15
            return numbers.astype("<i2").tobytes()

        def wide(tensor: torch.Tensor, one: int) -> bytes:
            numbers = np.rint(tensor.detach().numpy().astype(np.float64) * one).astype(np.int64)
            halves = np.stack([numbers >> 16, (numbers & 0xFFFF)], axis=-1)
            return halves.astype(np.uint16).astype("<u2").tobytes()

        with torch.no_grad():
            self.own.weight[FAR_CLASS] = 0
            self.other.weight[FAR_CLASS] = 0
        weights = b"".join([
            narrow(self.own.weight, ACCUMULATOR_ONE),
            narrow(self.other.weight, ACCUMULATOR_ONE),
            narrow(self.bias, ACCUMULATOR_ONE),
            narrow(self.hidden.weight, WEIGHT_ONE),
            wide(self.hidden.bias, ACCUMULATOR_ONE * WEIGHT_ONE),
            wide(self.output.weight.squeeze(0), WEIGHT_ONE),
            wide(self.output.bias.squeeze(0), HIDDEN_ONE * WEIGHT_ONE),
        ])
        path.write_bytes(MAGIC + fnv1a(weights).to_bytes(8, "little") + weights)


def fnv1a(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & (2**64 - 1)
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--result-share", type=float, default=0.7,
                        help="share of the game's result in the target; the rest is the search's score")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)

    data = Data(options.data, options.result_share)
    count = len(data.counts)
    # The last games are for validation.
    trained = count * 19 // 20
    validation = np.arange(trained, count)
    cross_entropy = nn.functional.binary_cross_entropy
    losses = lambda predicted: " ".join(
        f"{cross_entropy(predicted, wanted[trained:]):.4f}" for wanted in (data.targets, data.results))
    print(f"{count} positions; loss on targets and results of the last {count - trained}")
    print(f"pattern evaluation: {losses(data.evals[trained:])}")

    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=options.rate)
    steps = options.epochs * -(-trained // options.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, total_steps=steps)
    start = time.time()
    for epoch in range(options.epochs):
        order, total = rng.permutation(trained), 0.0
        for first in range(0, trained, options.batch):
            positions = order[first:first + options.batch]
            predicted = torch.sigmoid(network(*data.batch(positions)))
            loss = cross_entropy(predicted, data.targets[positions])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(positions)
        with torch.no_grad():
            parts = [torch.sigmoid(network(*data.batch(part)))
                     for part in np.array_split(validation, max(1, len(validation) // 4096))]
        print(f"epoch {epoch + 1}: training {total / trained:.4f}, "
              f"validation {losses(torch.cat(parts))}, {time.time() - start:.0f} s", flush=True)
    network.write(options.out)


if __name__ == "__main__":
    main()
