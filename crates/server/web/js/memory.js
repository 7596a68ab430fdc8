// What the page remembers between visits. Where storage is closed, it remembers nothing.

export function recall(name, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(`noughts.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`noughts.${name}`);
    else localStorage.setItem(`noughts.${name}`, JSON.stringify(value));
  } catch {
    // Nothing is lost but the convenience.
  }
}
