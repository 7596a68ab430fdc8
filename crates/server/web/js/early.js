// Runs before anything is drawn, so that nobody sees the wrong colours for a moment.
try {
  const theme = JSON.parse(localStorage.getItem('noughts.theme'));
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's preference holds.
}
