"""Tic-tac-toe and every line game: rules, solver, computer players, ratings and environments.

>>> import noughts
>>> game = noughts.Game("3x3")
>>> for move in ["B2", "A1", "C1", "A3", "A2", "C2", "B1", "B3", "C3"]:
...     events = game.play(move)
>>> events[-1]
Event.Finished(status=Status.Draw(reason='full'))
>>> noughts.solve("3x3+wild").value
Value('win in 4')

`noughts.envs` has environments for reinforcement learning.
"""

from noughts._noughts import (
    Analysis,
    Choice,
    Computer,
    Event,
    Game,
    League,
    MoveVerdict,
    Outcome,
    Player,
    Playouts,
    Position,
    Rating,
    Record,
    RefusedError,
    Rules,
    Solution,
    Standing,
    Status,
    Value,
    VecEnv,
    Verdict,
    analyse,
    playouts,
    solve,
)

__all__ = [
    "Analysis",
    "Choice",
    "Computer",
    "Event",
    "Game",
    "League",
    "MoveVerdict",
    "Outcome",
    "Player",
    "Playouts",
    "Position",
    "Rating",
    "Record",
    "RefusedError",
    "Rules",
    "Solution",
    "Standing",
    "Status",
    "Value",
    "VecEnv",
    "Verdict",
    "analyse",
    "playouts",
    "solve",
]
