/** The files the console's first page is made of, as its HTML names them. */
export function filesOf(html: string): { href: string; as: 'script' | 'style' }[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const scripts = [...page.querySelectorAll<HTMLElement>('script[type=module][src], link[rel=modulepreload][href]')];
  const styles = [...page.querySelectorAll<HTMLElement>('link[rel=stylesheet][href]')];
  const address = (element: HTMLElement): string => element.getAttribute('src') ?? element.getAttribute('href') ?? '';
  return [
    ...scripts.map((element) => ({ href: address(element), as: 'script' as const })),
    ...styles.map((element) => ({ href: address(element), as: 'style' as const })),
  ].filter(({ href }) => href.startsWith('/'));
}

const present = (href: string): boolean =>
  [...document.querySelectorAll('link, script')].some(
    (element) => (element.getAttribute('href') ?? element.getAttribute('src')) === href,
  );

async function preload(): Promise<void> {
  const reply = await fetch('/home', { headers: { Accept: 'text/html' } });
  const waits = filesOf(await reply.text())
    .filter(({ href }) => !present(href))
    .map(({ href, as }) => {
      const link = document.createElement('link');
      link.rel = as === 'script' ? 'modulepreload' : 'prefetch';
      link.as = as;
      link.href = href;
      const settled = new Promise((done) => {
        link.addEventListener('load', done);
        link.addEventListener('error', done);
      });
      document.head.append(link);
      return settled;
    });
  await Promise.all(waits);
}

let running: Promise<void> | undefined;

/**
 * Fetches the console into the cache: from the first key typed on, and at the latest on /login-loading. Never fails.
 */
export const preloadConsole = (): Promise<void> => (running ??= preload().catch(() => undefined));
