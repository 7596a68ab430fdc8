// Following a tournament: its state now and after every change, over a connection that opens again by itself.

/** @import { TournamentState } from './api' */

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8000;

/**
 * Calls back with each state. Returns how to stop.
 * @param {string} id
 * @param {(state: TournamentState) => void} onState
 */
export function followTournament(id, onState) {
  const stopped = new AbortController();
  let backoff = MIN_BACKOFF_MS;

  async function read() {
    const response = await fetch(`/api/v1/tournaments/${encodeURIComponent(id)}/stream`, { signal: stopped.signal });
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (text + value).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line) onState(JSON.parse(line));
      backoff = MIN_BACKOFF_MS;
    }
  }

  async function run() {
    while (!stopped.signal.aborted) {
      await read().catch(() => {});
      if (stopped.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, backoff));
      backoff = Math.min(2 * backoff, MAX_BACKOFF_MS);
    }
  }

  run();
  return () => stopped.abort();
}
