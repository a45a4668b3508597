// Before the first paint: theme, size and language of the last visit, so that nothing flashes. app/settings/ keeps the same keys.
(function () {
  try {
    var root = document.documentElement;
    // A preview tab keeps these for itself (session/storage.ts).
    var own = sessionStorage.getItem('preview') !== null;
    var kept = function (key) { return own ? sessionStorage.getItem('preview.' + key) : localStorage.getItem(key); };
    var theme = kept('theme');
    var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    var locale = kept('locale');
    if (locale) root.lang = locale.replace('_', '-');
    var look = JSON.parse(kept('appearance') || '{}');
    if (look.accent && look.accent !== 'blue') root.dataset.accent = look.accent;
    if (look.fontSize) root.dataset.fontSize = look.fontSize;
    if (look.density) root.dataset.density = look.density;
  } catch (error) {
    document.documentElement.dataset.theme = 'light';
  }
})();
