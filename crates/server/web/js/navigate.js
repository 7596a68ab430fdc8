// Going from screen to screen without loading the page again.

let show = () => {};

/** Sets what shows the screen at the current address. */
export function onNavigate(handler) {
  show = handler;
  addEventListener('popstate', () => show());
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/') || url.hash) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}

/** Goes to an address of the page. */
export function go(path) {
  history.pushState(null, '', path);
  show();
}

/** Changes the address in place: the same screen, looked at differently. */
export function mark(path) {
  history.replaceState(history.state, '', path);
}
