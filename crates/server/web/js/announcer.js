// What screen readers hear: one line, spoken when it changes.

let last = '';

export function announce(text) {
  const region = document.getElementById('announcer');
  // The same words twice in a row would not be spoken again without a difference.
  region.textContent = text === last ? `${text}\u00a0` : text;
  last = region.textContent;
}
