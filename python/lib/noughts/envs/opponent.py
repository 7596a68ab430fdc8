"""A Gymnasium environment against computer players."""

from __future__ import annotations

from typing import Any, SupportsInt

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from noughts import Computer, Outcome, Position, Rules
from noughts.envs.observation import Observation, observation_space, observe


class OpponentEnv(gymnasium.Env[Observation, np.int64]):
    """You play one seat, a computer player by name plays the others.

    `seat=None` draws your seat for every game. The computer searches at most `nodes` positions a move.
    A move that is not legal loses, with `info["illegal_move"]`; `action_masks()` has the legal ones, as
    sb3-contrib expects it.

    >>> env = noughts.envs.OpponentEnv("3x3", opponent="perfect", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(4)
    >>> int(observation["action_mask"].sum()), reward, terminated
    (7, 0.0, False)
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        rules: Rules | str = "3x3",
        opponent: str = "random",
        *,
        seat: int | None = None,
        nodes: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        self.opponent_name = Computer(opponent).name
        if seat is not None and not 0 <= seat < self.rules.players:
            raise ValueError(f"seat {seat} is out of range: expected 0 to {self.rules.players - 1}")
        self.fixed_seat = seat
        self.nodes = nodes
        self.render_mode = render_mode
        self.observation_space = observation_space(self.rules)
        self.action_space = spaces.Discrete(self.rules.move_count)
        self.position = Position(self.rules)
        self.seat = seat or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        draw = self.np_random.integers
        self.computer = Computer(self.opponent_name, seed=int(draw(2**63)))
        while True:
            self.position.clear()
            random_seat = int(draw(self.rules.players))
            self.seat = random_seat if self.fixed_seat is None else self.fixed_seat
            if self._play_opponents() is None:
                return self._observation(), {}

    def step(
        self, action: SupportsInt
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.position.is_legal(int(action)):
            return self._observation(), -1.0, True, False, {"illegal_move": True}
        outcome = self.position.play(int(action)) or self._play_opponents()
        reward = 0.0 if outcome is None else outcome.reward(self.seat)
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, outcome is not None, False, {}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which moves are legal."""
        return self.position.legal_mask()

    def render(self) -> str | None:
        text = str(self.position)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _play_opponents(self) -> Outcome | None:
        outcome = self.position.outcome
        while outcome is None and self.position.turn != self.seat:
            move = self.computer.choose(self.position, nodes=self.nodes).move
            outcome = self.position.play(move)
        return outcome

    def _observation(self) -> Observation:
        return observe(self.position, self.seat)


gymnasium.register("noughts/Opponent-v0", entry_point="noughts.envs.opponent:OpponentEnv")
