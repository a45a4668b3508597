// Before the first paint: theme, size and language of the last visit, so that nothing flashes. app/settings/ keeps the same keys.
(function () {
  try {
    var root = document.documentElement;
    var theme = localStorage.getItem('theme');
    var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    var locale = localStorage.getItem('locale');
    if (locale) root.lang = locale.replace('_', '-');
    var look = JSON.parse(localStorage.getItem('appearance') || '{}');
    if (look.accent && look.accent !== 'blue') root.dataset.accent = look.accent;
    if (look.fontSize) root.dataset.fontSize = look.fontSize;
    if (look.density) root.dataset.density = look.density;
  } catch (error) {
    document.documentElement.dataset.theme = 'light';
  }
})();
