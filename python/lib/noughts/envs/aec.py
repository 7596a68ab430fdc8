"""A PettingZoo environment for any rules."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from noughts import Position, Rules
from noughts.envs.observation import Observation, observation_space, observe


def aec_env(rules: Rules | str = "3x3", render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    """A PettingZoo AEC environment with the agents `player_0`, `player_1` and so on.

    An observation is a dictionary: `observation` has a plane for each mark, the agent's own first, and
    `action_mask` the legal moves by index. The winner gets 1, all others -1. An agent that makes a move
    that is not legal loses.

    >>> env = noughts.envs.aec_env("connect4")
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'player_0'
    >>> observation, reward, termination, truncation, info = env.last()
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((6, 7, 2), 7)
    >>> env.step(35)
    >>> env.agent_selection
    'player_1'
    """
    env = GameAEC(rules, render_mode)
    illegal = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    bounds = wrappers.AssertOutOfBoundsWrapper(illegal)
    return wrappers.OrderEnforcingWrapper(bounds)


class GameAEC(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game between agents. `aec_env` makes it robust against illegal moves."""

    metadata = {
        "name": "noughts_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, rules: Rules | str = "3x3", render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.observation_spaces = {
            agent: observation_space(self.rules) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self.rules.move_count) for agent in self.possible_agents
        }
        self.position = Position(self.rules)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position.clear()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        return observe(self.position, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "a live agent must move"
        agent = self.agent_selection
        outcome = self.position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if outcome is not None:
            for seat, player in enumerate(self.possible_agents):
                self.rewards[player] = outcome.reward(seat)
                self.terminations[player] = True
            seat = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
            self.agent_selection = self.possible_agents[seat]
        else:
            turn = self.position.turn
            assert turn is not None
            self.agent_selection = self.possible_agents[turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        text = str(self.position)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass
