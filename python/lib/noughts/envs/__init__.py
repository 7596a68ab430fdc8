"""Environments for reinforcement learning.

- `VecEnv`: many games at once, as numpy arrays; needs numpy alone.
- `aec_env`: a PettingZoo AEC environment, one agent for each seat.
- `OpponentEnv`: a Gymnasium environment against computer players, also as
  `gymnasium.make("noughts/Opponent-v0", rules="3x3", opponent="hard")`.

The last two need `pip install noughts[envs]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts import VecEnv

if TYPE_CHECKING:
    from noughts.envs.aec import aec_env
    from noughts.envs.opponent import OpponentEnv

__all__ = ["OpponentEnv", "VecEnv", "aec_env"]


def __getattr__(name: str) -> Any:
    # Gymnasium and PettingZoo are imported only where they are needed.
    if name == "aec_env":
        from noughts.envs.aec import aec_env

        return aec_env
    if name == "OpponentEnv":
        from noughts.envs.opponent import OpponentEnv

        return OpponentEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
