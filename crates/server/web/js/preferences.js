// Runs before anything is drawn, so that the page never flashes in the wrong colours or the wrong language.
{
  const load = (/** @type {string} */ name) => {
    try {
      return JSON.parse(localStorage.getItem(`noughts.${name}`) ?? 'null');
    } catch {
      // Without storage, the system's preferences apply.
      return null;
    }
  };
  const root = document.documentElement;
  for (const name of ['theme', 'board', 'labels']) {
    const value = load(name);
    if (typeof value === 'string') root.dataset[name] = value;
  }

  /** The languages of the page; `languages.js` names them. */
  const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'ja', 'pt', 'zh'];
  const wanted = [load('language'), ...navigator.languages].map((tag) => String(tag).toLowerCase().split('-')[0]);
  root.lang = wanted.find((tag) => LANGUAGES.includes(tag)) ?? 'en';
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
  const words = document.createElement('link');
  words.rel = 'modulepreload';
  words.fetchPriority = 'high';
  words.href = new URL(`messages/${root.lang}.js`, document.querySelector('script')?.src).href;
  document.head.append(words);
  // Nothing is shown in another language first; if the words do not come, the page is shown as it is.
  root.dataset.loading = '';
  setTimeout(() => delete root.dataset.loading, 3000);
}
