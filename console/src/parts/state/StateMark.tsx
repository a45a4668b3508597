import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { StateName } from '../../theme/tokens.ts';
import styles from './StateMark.module.css';

/**
 * The states of the contract, `info` for notes, `unknown` before the first reading; and of what is no lamp `partial`
 * (under way, in part) in ink, as the truth line draws what runs, and `degraded` in the colour of warnings: amber is
 * light, or something to look at.
 */
export type MarkState =
  | 'on'
  | 'dimmed'
  | 'off'
  | 'alarm'
  | 'offline'
  | 'maintenance'
  | 'info'
  | 'unknown'
  | 'partial'
  | 'degraded';

const tokenOf: Record<Exclude<MarkState, 'partial' | 'degraded'>, StateName> = {
  on: 'on',
  dimmed: 'dim',
  off: 'off',
  alarm: 'alarm',
  offline: 'offline',
  maintenance: 'maint',
  info: 'info',
  unknown: 'offline',
};
const colourOf = (state: MarkState, of: 's' | 'st'): string =>
  state === 'partial'
    ? 'var(--c-text)'
    : state === 'degraded'
      ? 'var(--c-warning-text)'
      : `var(--${of}-${tokenOf[state]})`;
const half = (
  <>
    <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
    <path d="M6 1.8a4.2 4.2 0 0 0 0 8.4z" fill="currentColor" />
  </>
);

const shapes: Record<MarkState, ReactNode> = {
  on: <circle cx="6" cy="6" r="4.6" fill="currentColor" />,
  dimmed: half,
  partial: half,
  degraded: half,
  off: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  alarm: <path d="M6 .9 11.5 10.8H.5z" fill="currentColor" />,
  offline: (
    <path
      d="m2.2 2.2 7.6 7.6M9.8 2.2 2.2 9.8"
      stroke="currentColor"
      strokeWidth="2.1"
      strokeLinecap="round"
      fill="none"
    />
  ),
  maintenance: <path d="M6 .6 11.4 6 6 11.4.6 6z" fill="currentColor" />,
  info: <rect x="1.5" y="1.5" width="9" height="9" rx="2" fill="currentColor" />,
  unknown: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.7" strokeDasharray="2.2 2" />,
};

/** The shape alone, where the word stands beside it already; `size` in px. */
export function StateShape({ state, size = 12 }: { state: MarkState; size?: number }) {
  return <Shape state={state} size={size} colour={colourOf(state, 's')} />;
}

function Shape({ state, size, colour }: { state: MarkState; size: number; colour: string }) {
  return (
    <svg
      className={styles.shape}
      viewBox="0 0 12 12"
      width={size}
      height={size}
      aria-hidden
      focusable="false"
      style={{ color: colour }}
    >
      {shapes[state]}
    </svg>
  );
}

/**
 * A device state: colour, shape and word, always the three. The normal one is quiet: a small shape and its word in ink,
 * so that what is not normal stands out. `word` replaces the state's own (a fault's name, "dimmed 60 %").
 */
export function StateMark({ state, word }: { state: MarkState; word?: ReactNode }) {
  const { t } = useTranslation('parts');
  const quiet = state === 'on';
  return (
    <span className={quiet ? `${styles.mark} ${styles.quiet}` : styles.mark}>
      <Shape state={state} size={quiet ? 8 : 12} colour={quiet ? 'currentColor' : colourOf(state, 's')} />
      <span style={quiet ? {} : { color: colourOf(state, 'st') }}>{word ?? t(`state.${state}`)}</span>
    </span>
  );
}
