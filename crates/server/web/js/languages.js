// The languages of the page, by the names that they have themselves. `preferences.js` chooses one of them.

export const LANGUAGES = {
  en: 'English', ar: 'العربية', de: 'Deutsch', es: 'Español', fr: 'Français', hi: 'हिन्दी', ja: '日本語', pt: 'Português', zh: '简体中文',
};
