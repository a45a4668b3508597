import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { commandStates } from '../../../../contract/light/commands.ts';
import styles from './TruthLine.module.css';

export type CommandState = (typeof commandStates)[number];
const steps = ['queued', 'sent', 'acknowledged', 'confirmed'] as const;
type Step = (typeof steps)[number];
type Look = 'done' | 'waiting' | 'missed' | 'refused' | 'withdrawn';

export interface Truth {
  state: CommandState;
  /** When each step was reached; a missing one was not. ISO 8601. */
  at: Partial<Record<Step, string | null>>;
}

const ended: ReadonlySet<CommandState> = new Set(['failed', 'timedOut', 'expired', 'superseded', 'cancelled']);
type End = 'failed' | 'timedOut' | 'expired' | 'superseded' | 'cancelled';
const isEnd = (state: CommandState): state is End => ended.has(state);
/** Somebody took it back, or wanted something newer: nothing failed. */
const isWithdrawn = (state: CommandState): boolean => state === 'superseded' || state === 'cancelled';

/**
 * What each step looks like: solid = proven, ring = awaited, red = where it failed, grey ring = where it was withdrawn,
 * hollow = never reached.
 */
export function looksOf({ state, at }: Truth): Look[] {
  const proven = steps.map(
    (step, index) =>
      (index === 0 ? state !== 'waiting' : Boolean(at[step])) ||
      (!isEnd(state) && state !== 'waiting' && steps.indexOf(state) >= index),
  );
  const next = proven.indexOf(false);
  return proven.map((done, index) => {
    if (done) return 'done';
    if (index !== next) return 'missed';
    if (!isEnd(state)) return 'waiting';
    return isWithdrawn(state) ? 'withdrawn' : 'refused';
  });
}

/**
 * A command drawn as far as it is proven. `notes` says under each step when or why (already formatted); `reason` names
 * what the device or the clock said against it.
 */
export function TruthLine({
  truth,
  notes = {},
  reason,
}: {
  truth: Truth;
  notes?: Partial<Record<Step, ReactNode>>;
  reason?: ReactNode;
}) {
  const { t } = useTranslation('parts');
  const looks = looksOf(truth);
  return (
    <ol className={styles.line} aria-label={t('truth.label')}>
      {steps.map((step, index) => {
        const look = looks[index] ?? 'missed';
        const running = look === 'done' && looks[index + 1] === 'waiting';
        const isOver = look === 'refused' || look === 'withdrawn';
        const word =
          isOver && isEnd(truth.state)
            ? (reason ?? t(`truth.end.${truth.state}`))
            : t(`truth.${step}.${isOver ? 'missed' : look}`);
        return (
          <li key={step} className={[styles.step, styles[look], running ? styles.running : ''].join(' ')}>
            <b>{word}</b>
            <span>{notes[step] ?? '—'}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Where a device's part of a command stands, in one word. */
export function useStateWord(): (state: CommandState) => string {
  const { t } = useTranslation('parts');
  return (state) =>
    isEnd(state) ? t(`truth.end.${state}`) : state === 'waiting' ? t('truth.waiting') : t(`truth.${state}.done`);
}

/**
 * The small form: four ticks and, for eyes that cannot see them, the words; `word` where the command is no order to be
 * confirmed.
 */
export function TruthTicks({ truth, word }: { truth: Truth; word?: string }) {
  const stateWord = useStateWord();
  const label = word ?? stateWord(truth.state);
  return (
    <span className={styles.ticks} role="img" aria-label={label} title={label}>
      {looksOf(truth).map((look, index) => (
        <i key={steps[index]} className={styles[look]} />
      ))}
    </span>
  );
}
