"""What an agent sees: planes of the marks, its own first, and a mask of the legal moves."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from noughts import Position, Rules


class Observation(TypedDict):
    """The planes in the shape of the board and the number of marks, and the mask by move index."""

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]


def observation_space(rules: Rules) -> spaces.Space[Any]:
    """The space of the observations of a game."""
    shape = (*rules.shape, rules.mark_count)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, rules.fade or 1, shape, np.int8),
            "action_mask": spaces.Box(0, 1, (rules.move_count,), np.int8),
        }
    )


def observe(position: Position, seat: int) -> Observation:
    """What a seat sees; the mask is empty unless it is the seat to move.

    A plane is 1 where its mark stands. Where marks fade, it is 1 for the stone that fades next, 2 for
    the one after it, and so on.

    >>> position = noughts.Position("3x3 xo1/3/3 x")
    >>> seen = noughts.envs.observation.observe(position, 0)
    >>> seen["observation"][0].tolist()
    [[1, 0], [0, 1], [0, 0]]
    >>> seen["action_mask"].tolist()
    [0, 0, 1, 1, 1, 1, 1, 1, 1]
    """
    rules = position.rules
    marks = rules.mark_count
    own = position.mark_of(seat) or 1
    order = (np.arange(marks) + own - 1) % marks + 1
    planes = (position.board()[..., None] == order).astype(np.int8)
    if rules.fade:
        flat = planes.reshape(-1, marks)
        for plane, mark in enumerate(order):
            for age, cell in enumerate(position.fade_order(int(mark))):
                flat[cell, plane] = age + 1
    if position.turn == seat:
        mask = position.legal_mask().astype(np.int8)
    else:
        mask = np.zeros(rules.move_count, np.int8)
    return {"observation": planes, "action_mask": mask}
