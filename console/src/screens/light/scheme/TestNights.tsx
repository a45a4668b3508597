import { useTranslation } from 'react-i18next';
import type { getSimulation } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { Card, formatPercent } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import styles from './simulation.module.css';

type Night = NonNullable<ReplyOf<typeof getSimulation>['result']>['testNights'][number];

/** Nights where the sun, the clock or the calendar does something of its own: what both plans do in them. */
export function TestNights({ nights }: { nights: readonly Night[] }) {
  const { t, i18n } = useTranslation('scheme');
  const names = useDayNames();
  const words = (steps: Night['a']): string[] =>
    steps.length === 0
      ? [t('sim.nights.dark')]
      : steps.map(({ at, level }) =>
          level === 0
            ? t('sim.nights.off', { at })
            : t('sim.nights.step', { at, level: formatPercent(level, i18n.language) }),
        );
  const cell = (steps: Night['a']) =>
    words(steps).map((word) => (
      <span key={word} className={styles.step}>
        {word}
      </span>
    ));
  return (
    <Card title={t('sim.nights.title')}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('sim.nights.night')}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {nights.map(({ kind, day, a, b }) => (
              <tr key={day}>
                <th scope="row">
                  {t(`sim.night.${kind}`)}
                  <small>{names.long(day)}</small>
                </th>
                <td>{cell(a)}</td>
                <td data-way={words(a).join() === words(b).join() ? undefined : 'differs'}>{cell(b)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.note}>{t('sim.nights.note')}</p>
    </Card>
  );
}
