import { useRef, type TouchEvent } from 'react';

/** A swipe goes so far, px, and at least twice as far across as up or down. */
const shortest = 60;

/** Things that move sideways themselves, or are read by a finger: sliders, curves, what is scrolled. */
const moving = 'input, textarea, canvas, [role="application"], [role="slider"], [role="img"]';
/** What is typed into; a chosen button or list keeps the focus without holding anything typed. */
const typed = 'textarea, input:not([type="radio"], [type="checkbox"], [type="range"], [readonly])';

function movesItself(target: EventTarget, within: Element): boolean {
  for (let one = target instanceof Element ? target : null; one !== null && one !== within; one = one.parentElement)
    if (one.matches(moving) || one.scrollWidth > one.clientWidth + 1) return true;
  return false;
}

/** The finger is meant for something else: a popup of the page, a field that is typed into, a magnified page. */
const meansOther = (target: EventTarget, within: Element): boolean =>
  !(target instanceof Node && within.contains(target)) ||
  (within.contains(document.activeElement) && document.activeElement?.matches(typed) === true) ||
  (window.visualViewport?.scale ?? 1) > 1 ||
  movesItself(target, within);

/** What a finger that is drawn across does: handlers for the element it is drawn over. */
export function useSwipe(onSwipe: (way: 'left' | 'right') => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: (event: TouchEvent): void => {
      const touch = event.touches[0];
      from.current =
        touch === undefined || event.touches.length > 1 || meansOther(event.target, event.currentTarget)
          ? null
          : { x: touch.clientX, y: touch.clientY };
    },
    onTouchEnd: (event: TouchEvent): void => {
      const touch = event.changedTouches[0];
      const began = from.current;
      from.current = null;
      if (began === null || touch === undefined) return;
      const [across, along] = [touch.clientX - began.x, touch.clientY - began.y];
      if (Math.abs(across) >= shortest && Math.abs(across) >= 2 * Math.abs(along))
        onSwipe(across < 0 ? 'left' : 'right');
    },
    onTouchCancel: (): void => {
      from.current = null;
    },
  };
}
