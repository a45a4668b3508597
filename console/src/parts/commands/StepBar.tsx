import type { CommandState } from './commands.ts';
import styles from './step-bar.module.css';

/** From proven to not begun, then what went wrong: the order of the bar and of the figures. */
export const shownStates = [
  'confirmed',
  'acknowledged',
  'sent',
  'queued',
  'waiting',
  'failed',
  'timedOut',
  'expired',
  'cancelled',
  'superseded',
] as const satisfies readonly CommandState[];

/** The states of a task's devices as one bar, each as long as its share. */
export function StepBar({ states }: { states: Readonly<Partial<Record<string, number>>> }) {
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
export function StepDot({ state }: { state: CommandState }) {
  return <i className={styles.dot} data-state={state} aria-hidden />;
}
