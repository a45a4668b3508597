import { useState, type KeyboardEvent, type PointerEvent } from 'react';

interface Ribbon {
  /** Steps of the curve, and the share of the ribbon that one takes. */
  readonly steps: number;
  readonly stepShare: number;
  /** Where the arrow keys begin. */
  readonly start: number;
}

/** The step of the curve that a pointer, a finger or the arrow keys are at; null: nobody points. */
export function useRibbonPointer({ steps, stepShare, start }: Ribbon) {
  const [step, setStep] = useState<number | null>(null);
  const last = Math.max(0, Math.min(steps - 1, Math.floor(1 / stepShare + 1e-6)));
  const within = (value: number) => Math.min(last, Math.max(0, value));
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) setStep(within(Math.round((event.clientX - left) / width / stepShare)));
  };
  const keys: Readonly<Record<string, (at: number) => number | null>> = {
    ArrowLeft: (at) => within(at - 1),
    ArrowDown: (at) => within(at - 1),
    ArrowRight: (at) => within(at + 1),
    ArrowUp: (at) => within(at + 1),
    PageDown: (at) => within(at - 4),
    PageUp: (at) => within(at + 4),
    Home: () => 0,
    End: () => last,
    Escape: () => null,
  };
  return {
    step,
    last,
    on: {
      onPointerMove: point,
      onPointerDown: point,
      // While the slider has the focus its reading stays: it is what a screen reader tells.
      onPointerLeave: ({ currentTarget }: PointerEvent<HTMLElement>): void => {
        if (document.activeElement !== currentTarget) setStep(null);
      },
      onFocus: (): void => setStep((before) => before ?? within(start)),
      onBlur: (): void => setStep(null),
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        setStep(keys[event.key]?.(step ?? within(start)) ?? null);
      },
    },
  };
}
