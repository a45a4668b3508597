import type { PublicationLampState } from './words.ts';
import styles from './publishing.module.css';

/** From proven to not begun, then what stands aside: the order of the bar and of the figures. */
export const shownStates = [
  'proven',
  'reported',
  'told',
  'pending',
  'waiting',
  'diverged',
  'away',
  'cannot',
  'superseded',
] as const satisfies readonly PublicationLampState[];

/** The lamps of a publication by state as one bar, each as long as its share. */
export function LampBar({ states }: { states: Readonly<Record<string, number>> }) {
  return (
    <div className={styles.bar} aria-hidden>
      {shownStates
        .filter((state) => (states[state] ?? 0) > 0)
        .map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: states[state] }} />
        ))}
    </div>
  );
}

/** The colour of a state in the bar, beside its word. */
export function LampDot({ state }: { state: PublicationLampState }) {
  return <i className={styles.dot} data-state={state} aria-hidden />;
}
