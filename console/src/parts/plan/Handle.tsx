import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Anchor } from '../../../../catalogue/lighting/plan/programme.ts';
import { moved, type HandleName } from './model.ts';
import { useDrag } from './use-drag.ts';
import styles from './ribbon.module.css';

/** Minutes that a drag moves at once: a pixel of the ribbon is more than a minute. */
const dragStep = 5;
const noonToNoon = 1440;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -60,
  PageUp: 60,
};

interface Props {
  box: RefObject<HTMLElement | null>;
  name: HandleName;
  anchor: Anchor;
  /** Share of the ribbon. */
  at: number;
  /** Its time stands above it always, not only while it is used. */
  timed: boolean;
  mark: string;
  label: string;
  /** What it says of itself: its time and level. */
  text: string;
  time: string;
  unused: boolean;
  onMove: (anchor: Anchor) => void;
}

/** One boundary of the night: dragged in steps of five minutes, moved by arrow keys by one minute, with Shift by ten. */
export function Handle({ box, name, anchor, at, timed, mark, label, text, time, unused, onMove }: Props) {
  const began = useRef(anchor);
  const [focused, setFocused] = useState(false);
  const drag = useDrag(box, (share) =>
    onMove(share === 0 ? began.current : moved(began.current, share * noonToNoon, dragStep)),
  );
  const pressed = (event: KeyboardEvent): void => {
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    onMove(moved(anchor, event.shiftKey && Math.abs(by) === 1 ? by * 10 : by));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.handle}
      style={{ left: `${at * 100}%` }}
      data-name={name}
      data-timed={timed || undefined}
      data-unused={unused || undefined}
      data-active={drag.active || focused || undefined}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={noonToNoon}
      aria-valuenow={Math.round(at * noonToNoon)}
      aria-valuetext={text}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        if (!drag.press(event)) return;
        began.current = anchor;
        event.currentTarget.focus();
        event.preventDefault();
      }}
    >
      <i aria-hidden />
      <b aria-hidden>{mark}</b>
      <span aria-hidden>{time}</span>
    </div>
  );
}
