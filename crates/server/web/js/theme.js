// Runs before anything is drawn, so that the page never flashes in the wrong colours.
try {
  const theme = JSON.parse(localStorage.getItem('noughts.theme') ?? 'null');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the system's preference applies.
}
