// What happens in a game, in sentences.

/** How a game ended. */
export function resultOf(state) {
  const { result, players, moves } = state.view;
  if (!result) return '';
  const winner = result.winner === null ? '' : state.nameOf(result.winner);
  const outBy = () => {
    const last = moves.filter((move) => move.startsWith('resign:')).pop();
    return last ? state.nameOf(state.seatOf(last)) : 'The other player';
  };
  const two = players.length === 2;
  switch (result.how) {
    case 'line':
      return two && isLoserLine(state)
        ? `${winner} wins: ${state.nameOf(1 - result.winner)} made a line.`
        : `${winner} wins.`;
    case 'draw':
      return 'It\u2019s a draw.';
    case 'resigned':
      return `${outBy()} resigned. ${winner} wins.`;
    case 'time':
      return `${outBy()} ran out of time. ${winner} wins.`;
    case 'left':
      return `${outBy()} left. ${winner} wins.`;
    case 'forfeit':
      return `${outBy()} failed to move. ${winner} wins.`;
    case 'aborted':
      return 'The game was called off.';
    default:
      return 'The game was abandoned.';
  }
}

/** In misère games the line that ends the game is the loser's. */
function isLoserLine(state) {
  const [box] = state.view.result.cells;
  return box !== undefined && state.seatOf(box) !== state.view.result.winner;
}

/** Whose turn it is, or how it ended. */
export function statusOf(state) {
  const { view } = state;
  if (view.phase === 'open') {
    const missing = view.players.filter((player) => player.name === null);
    return missing.length === 1 ? 'Waiting for one more player.' : `Waiting for ${missing.length} more players.`;
  }
  if (view.result) return resultOf(state);
  if (state.awaitsMe) return 'Your turn.';
  return `${state.nameOf(view.turn)}\u2019s turn.`;
}

/** An event, for the notice of what was missed and for screen readers. */
export function eventOf(state, event) {
  const who = event.seat === undefined ? '' : state.view.yours.includes(event.seat) && !state.isLocal ? 'You' : state.nameOf(event.seat);
  switch (event.type) {
    case 'joined':
      return `${event.name} joined.`;
    case 'moved':
      return `${who} played ${event.cell}.`;
    case 'undo_asked':
      return who === 'You' ? 'You ask to take back a move.' : `${who} asks to take back a move.`;
    case 'undo_refused':
      return `${who} refused to take a move back.`;
    case 'undone':
      return state.isLocal || who === 'You' ? 'Taken back.' : `${who} took back a move.`;
    case 'resigned':
      return { resigned: `${who} resigned.`, time: `${who} ran out of time.`, left: `${who} left.` }[event.why] ?? `${who} is out.`;
    case 'aborted':
      return 'The game was called off.';
    case 'abandoned':
      return 'The game was abandoned.';
    case 'left':
      return who === 'You' ? 'You are away.' : `${who} is away.`;
    case 'returned':
      return who === 'You' ? 'You are back.' : `${who} is back.`;
    case 'rematch_asked':
      return who === 'You' ? 'You want a rematch.' : `${who} wants a rematch.`;
    case 'rematch_withdrawn':
      return who === 'You' ? 'You were away: ask for the rematch again.' : `${who} has gone, and waits for no rematch any more.`;
    default:
      return '';
  }
}

/** `3:07`, or `0:04.2` when it gets short. */
export function timeOf(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(ms / 1000);
  const pad = (n) => String(n).padStart(2, '0');
  if (ms < 10000) return `0:${pad(seconds)}.${tenths % 10}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  return hours ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** How long ago something was. */
export function agoOf(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  const steps = [[60, 'second', 1], [3600, 'minute', 60], [86400, 'hour', 3600], [Infinity, 'day', 86400]];
  const [, unit, size] = steps.find(([limit]) => seconds < limit);
  if (unit === 'second') return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.round(seconds / size), unit);
}
