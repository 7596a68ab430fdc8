// Runs before anything is drawn, so that the page never flashes in the wrong colours.
try {
  for (const name of ['theme', 'board', 'labels']) {
    const value = JSON.parse(localStorage.getItem(`noughts.${name}`) ?? 'null');
    if (typeof value === 'string') document.documentElement.dataset[name] = value;
  }
} catch {
  // Without storage, the system's preferences apply.
}
