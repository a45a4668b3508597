import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from 'react';

/** A movement of so many pixels makes a press a drag. */
const threshold = 5;
/** Milliseconds over a closed node until it opens. */
const openAfter = 600;
/** Pixels from the edge in which the tree scrolls, and the most it scrolls a frame. */
const edge = 44;
const fastest = 14;

export interface Pointer {
  readonly x: number;
  readonly y: number;
}

interface Parts {
  scroller: RefObject<HTMLElement | null>;
  /**
   * The pointer is over the line of this id (null: over none) with an upper share from 0 to 1 and a distance from the
   * tree's left, pixels.
   */
  onOver: (id: number | null, share: number, left: number) => void;
  onRest: (id: number) => void;
  /** `dropped` false: let go nowhere, or given up. */
  onEnd: (dropped: boolean) => void;
}

/** What lies around and really scrolls: the tree itself when it is long, else the page. */
function scrollerAround(from: HTMLElement | null): HTMLElement | null {
  for (let at = from; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

function scrollNear(element: HTMLElement | null, y: number): void {
  if (element === null) return;
  const { top, bottom } = element.getBoundingClientRect();
  const [above, below] = [top + edge - y, y - (bottom - edge)];
  if (above > 0) element.scrollTop -= Math.min(fastest, above / 3);
  else if (below > 0) element.scrollTop += Math.min(fastest, below / 3);
}

const lineAt = (tree: HTMLElement | null, { x, y }: Pointer): HTMLElement | null => {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>('[role="treeitem"]') ?? null;
  return found && tree?.contains(found) ? found : null;
};

/**
 * A drag by mouse, pen or finger: begins after a few pixels, scrolls at the edges, tells over which line the pointer
 * stands; Escape ends it.
 */
export function usePointerDrag({ scroller, onOver, onRest, onEnd }: Parts) {
  const [pressed, setPressed] = useState<{ id: number; at: Pointer } | null>(null);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const last = useRef<Pointer | null>(null);
  const resting = useRef<{ id: number; timer: ReturnType<typeof setTimeout> } | null>(null);
  const rest = useEffectEvent((id: number) => onRest(id));
  const over = useEffectEvent((at: Pointer) => {
    const line = lineAt(scroller.current, at);
    const id = line ? Number(line.dataset['id']) : null;
    if (resting.current?.id !== id) {
      clearTimeout(resting.current?.timer);
      resting.current = id === null ? null : { id, timer: setTimeout(() => rest(id), openAfter) };
    }
    const box = line?.getBoundingClientRect();
    onOver(id, box ? (at.y - box.top) / box.height : 0, at.x - (scroller.current?.getBoundingClientRect().left ?? 0));
  });
  const end = useEffectEvent((dropped: boolean) => {
    clearTimeout(resting.current?.timer);
    resting.current = null;
    last.current = null;
    setPressed(null);
    setPointer(null);
    onEnd(dropped);
  });
  useEffect(() => {
    if (pressed === null) return undefined;
    let frame = 0;
    const follow = (): void => {
      if (last.current) {
        scrollNear(scrollerAround(scroller.current), last.current.y);
        over(last.current);
      }
      frame = requestAnimationFrame(follow);
    };
    const move = (event: PointerEvent): void => {
      const at = { x: event.clientX, y: event.clientY };
      if (last.current === null) {
        if (Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) < threshold) return;
        frame = requestAnimationFrame(follow);
      }
      event.preventDefault();
      last.current = at;
      setPointer(at);
      over(at);
    };
    const up = (): void => {
      // The press that ended a drag is no click on what lies below.
      if (last.current) window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
      end(last.current !== null);
    };
    const giveUp = (): void => end(false);
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      giveUp();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', giveUp);
    window.addEventListener('keydown', key, { capture: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', giveUp);
      window.removeEventListener('keydown', key, { capture: true });
    };
  }, [pressed, scroller]);
  useEffect(() => () => clearTimeout(resting.current?.timer), []);
  return {
    /** The pressed node once it is really dragged. */
    dragged: pointer === null ? null : (pressed?.id ?? null),
    pointer,
    press(id: number, event: ReactPointerEvent): void {
      if (event.button === 0 && event.isPrimary) setPressed({ id, at: { x: event.clientX, y: event.clientY } });
    },
  };
}

function swallow(event: MouseEvent): void {
  event.stopPropagation();
  event.preventDefault();
}
