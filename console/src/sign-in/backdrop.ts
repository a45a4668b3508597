const SOURCES = [
  ['/media/city-av1.webm', 'video/webm; codecs="av01.0.08M.08"'],
  ['/media/city.webm', 'video/webm; codecs="vp9"'],
  ['/media/city.mp4', 'video/mp4; codecs="avc1.640028"'],
] as const;

interface Connection extends EventTarget {
  readonly saveData?: boolean;
  /** `slow-2g` to `4g`, by what the line did lately. */
  readonly effectiveType?: string;
}

const wantsStill = (): boolean => {
  const { connection } = navigator as Navigator & { readonly connection?: Connection };
  return (
    connection?.saveData === true ||
    (connection?.effectiveType ?? '4g') !== '4g' ||
    // Behind a narrow window's form little of the film is seen.
    window.matchMedia('(max-width: 767px), (prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)').matches
  );
};

function createFilm(): HTMLVideoElement {
  const film = document.createElement('video');
  Object.assign(film, {
    muted: true,
    loop: true,
    playsInline: true,
    preload: 'auto',
    tabIndex: -1,
    disablePictureInPicture: true,
  });
  film.setAttribute('aria-hidden', 'true');
  for (const [src, type] of SOURCES) film.append(Object.assign(document.createElement('source'), { src, type }));
  film.addEventListener('playing', () => film.classList.add('shown'), { once: true });
  return film;
}

/** The film behind the form: `playing` false is a still picture. */
interface Backdrop {
  readonly available: boolean;
  readonly playing: boolean;
}

let state: Backdrop = { available: false, playing: false };
let wanted = true;
let film: HTMLVideoElement | undefined;
const listeners = new Set<() => void>();

function settle(): void {
  const available = film !== undefined && !wantsStill();
  const playing = available && wanted && !document.hidden;
  if (film !== undefined) {
    film.hidden = !available;
    if (playing) void film.play().catch(() => undefined);
    else film.pause();
  }
  if (available === state.available && (available && wanted) === state.playing) return;
  state = { available, playing: available && wanted };
  for (const listener of listeners) listener();
}

/**
 * Loads the film once the form is usable and the browser idle, unless the reader asked for less motion or less data, the
 * line is slow or the window narrow; pauses it in a hidden tab. The still under it is part of the page itself.
 */
export function startBackdrop(frame: HTMLElement): void {
  const begin = (): void => {
    if (film === undefined && !wantsStill()) {
      film = createFilm();
      frame.append(film);
    }
    settle();
  };
  const whenIdle = (): void => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(begin);
    else setTimeout(begin, 600);
  };
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
  document.addEventListener('visibilitychange', settle);
  window.matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', begin);
}

export const backdrop = {
  get: (): Backdrop => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  toggle: (): void => {
    wanted = !wanted;
    settle();
  },
};
