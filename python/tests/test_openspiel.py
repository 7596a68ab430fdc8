"""Random games go alike in OpenSpiel and here: turns, legal moves and results at every step."""

import random
import re

import pytest

from noughts import Position

pyspiel = pytest.importorskip("pyspiel")

# The rules, the same game in OpenSpiel, and the number of games.
GAMES = [
    ("3x3", "tic_tac_toe", 300),
    ("4x5:4", "mnk(m=5,n=4,k=4)", 100),
    ("7x4:3", "mnk(m=4,n=7,k=3)", 100),
    ("15x15:5", "mnk(m=15,n=15,k=5)", 20),
    ("9x9:5", "gomoku(size=9,connect=5)", 50),
    ("5x5:4+wrap", "gomoku(size=5,connect=4,wrap=True)", 100),
    ("4x4+misere", "gomoku(size=4,connect=4,anti=True)", 100),
    ("5x5:4+misere+wrap", "gomoku(size=5,connect=4,wrap=True,anti=True)", 100),
    ("3x3x3", "gomoku(size=3,connect=3,dims=3)", 200),
    ("4x4x4", "gomoku(size=4,connect=4,dims=3)", 100),
    ("4x4x4+wrap", "gomoku(size=4,connect=4,dims=3,wrap=True)", 100),
    ("4x4x4:3+misere", "gomoku(size=4,connect=3,dims=3,anti=True)", 100),
    ("6x7:4+gravity", "connect_four", 200),
    ("5x6:3+gravity", "connect_four(rows=5,columns=6,x_in_row=3)", 200),
    ("3x3+ultimate", "ultimate_tic_tac_toe", 200),
]


def cell(level, row, col):
    """The name of a cell."""
    return f"{level + 1 if level else ''}{chr(ord('A') + row)}{col + 1}"


def numbers(state, action):
    return [int(n) for n in re.findall(r"\d+", state.action_to_string(action))]


def grid_moves(state):
    """The legal moves by the names of their cells, each as a list of actions."""
    cells = {action: numbers(state, action) for action in state.legal_actions()}
    return {cell(*([0] * (3 - len(at)) + at)): [action] for action, at in cells.items()}


def connect_four_moves(state):
    # The board is printed from the top, with a dot for an empty cell.
    rows = str(state).split()
    moves = {}
    for action in state.legal_actions():
        [col] = numbers(state, action)
        row = max(row for row in range(len(rows)) if rows[row][col] == ".")
        moves[cell(0, row, col)] = [action]
    return moves


def ultimate_moves(state):
    """A free choice is two actions: first the board, then the cell."""
    if not state.action_to_string(state.legal_actions()[0]).startswith("Choose"):
        board = int(re.search(r"Forced board: (\d+)", str(state)).group(1))
        return {box(board, local_cell(state, action)): [action] for action in state.legal_actions()}
    moves = {}
    for choice in state.legal_actions():
        [board] = numbers(state, choice)
        chosen = state.child(choice)
        for action in chosen.legal_actions():
            moves[box(board, local_cell(chosen, action))] = [choice, action]
    return moves


def local_cell(state, action):
    row, col = numbers(state, action)[-2:]
    return 3 * row + col


def box(board, local):
    return cell(0, board // 3 * 3 + local // 3, board % 3 * 3 + local % 3)


def moves_of(game):
    if game.startswith("connect_four"):
        return connect_four_moves
    return ultimate_moves if game.startswith("ultimate") else grid_moves


@pytest.mark.parametrize("rules, name, count", GAMES)
def test_random_games_agree(rules, name, count):
    rng = random.Random(1)
    game = pyspiel.load_game(name)
    find_moves = moves_of(name)
    for _ in range(count):
        state, position = game.new_initial_state(), Position(rules)
        while not state.is_terminal():
            moves = find_moves(state)
            assert position.turn == state.current_player(), position
            assert set(position.legal_moves()) == set(moves), position
            move = rng.choice(sorted(moves))
            for action in moves[move]:
                state.apply_action(action)
            position.play(move)
        assert position.is_over, position
        assert [position.outcome.reward(seat) for seat in range(2)] == state.returns(), position
