import { useTranslation } from 'react-i18next';
import { LampBar, LampDot } from '../../../parts/publishing/LampBar.tsx';
import { usePublicationWords, type Publication, type PublicationLampState } from '../../../parts/publishing/words.ts';
import styles from './publication.module.css';

/** The way of a lamp, and what stands beside it. A zero on the way is a statement too. */
const way = ['waiting', 'pending', 'told', 'reported', 'proven'] as const satisfies readonly PublicationLampState[];
const beside = ['diverged', 'away', 'cannot', 'superseded'] as const satisfies readonly PublicationLampState[];

interface Props {
  of: Publication;
  /** The states that the lamps below are narrowed to; empty: all. */
  chosen: readonly PublicationLampState[];
  onChoose: (states: readonly PublicationLampState[]) => void;
}

/** How many lamps stand at which step, exactly: one bar, and a figure for each state that narrows the list to it. */
export function Funnel({ of: { states, total }, chosen, onChoose }: Props) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const count = (state: PublicationLampState): number => states[state] ?? 0;
  const toggle = (state: PublicationLampState): void =>
    onChoose(chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state]);
  const figure = (state: PublicationLampState) => (
    <li key={state}>
      <button
        type="button"
        data-state={state}
        data-any={count(state) > 0 || undefined}
        aria-pressed={chosen.includes(state)}
        title={t('funnel.only', { state: words.state(state) })}
        onClick={() => toggle(state)}
      >
        <b>{words.number(count(state))}</b>
        <span>
          <LampDot state={state} />
          {words.state(state)}
        </span>
        <small>{total === 0 ? '—' : words.percent(Math.round((count(state) * 1000) / total) / 10)}</small>
      </button>
    </li>
  );
  return (
    <div>
      <LampBar states={states} />
      <div className={styles.funnel}>
        <ul className={styles.figures} data-way aria-label={t('funnel.way')}>
          {way.filter((state) => state !== 'pending' || count(state) > 0).map(figure)}
        </ul>
        <ul className={styles.figures} aria-label={t('funnel.beside')}>
          {beside.filter((state) => state !== 'superseded' || count(state) > 0).map(figure)}
        </ul>
      </div>
    </div>
  );
}
