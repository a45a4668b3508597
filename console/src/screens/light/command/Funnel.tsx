import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import type { CommandState } from '../../../parts/commands/commands.ts';
import { shownStates, StepBar, StepDot } from '../../../parts/commands/StepBar.tsx';
import { useTaskWords } from '../../../parts/commands/task-words.ts';
import { useCommandWords } from '../../../parts/commands/words.ts';
import styles from './command.module.css';

/** Said even when nobody stands there: a zero is a statement too. */
const always: ReadonlySet<CommandState> = new Set([
  'confirmed',
  'acknowledged',
  'sent',
  'queued',
  'failed',
  'timedOut',
]);

interface Props {
  states: Readonly<Record<string, number>>;
  total: number;
  /** A read is answered or not; there is no state to confirm. */
  read: boolean;
  /** The states that the results below are narrowed to; empty: all. */
  chosen: readonly CommandState[];
  onChoose: (states: readonly CommandState[]) => void;
}

/**
 * How many devices stand at which step, exactly: one bar, and a figure for each state that narrows the results to it.
 */
export function Funnel({ states, total, read, chosen, onChoose }: Props) {
  const { t, i18n } = useTranslation('commands');
  const { standing } = useCommandWords();
  const { percent } = useTaskWords();
  const word = (state: CommandState): string => standing(state, read);
  const countOf = (state: CommandState): number => states[state] ?? 0;
  const shown = shownStates.filter((state) => always.has(state) || countOf(state) > 0);
  const share = (state: CommandState): string => (total === 0 ? '—' : percent(countOf(state) / total));
  const toggle = (state: CommandState): void =>
    onChoose(chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state]);
  return (
    <div>
      <StepBar states={states} />
      <ul className={styles.figures} aria-label={t('funnel.label')}>
        {shown.map((state) => (
          <li key={state}>
            <button
              type="button"
              data-state={state}
              data-any={countOf(state) > 0 || undefined}
              aria-pressed={chosen.includes(state)}
              title={t('funnel.only', { state: word(state) })}
              onClick={() => toggle(state)}
            >
              <b>{formatNumber(countOf(state), i18n.language, 0)}</b>
              <span>
                <StepDot state={state} />
                {word(state)}
              </span>
              <small>{share(state)}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
