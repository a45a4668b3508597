import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { getSimulation } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { Card, formatNumber, formatPercent } from '../../../parts/index.ts';
import { meanWhileLit, type Levels } from './heat.ts';
import styles from './simulation.module.css';

type Simulation = ReplyOf<typeof getSimulation>;
type Result = NonNullable<Simulation['result']>;
type Sums = Result['total']['a'];

const figures = [
  { key: 'kwh', decimals: 0 },
  { key: 'hours', decimals: 0 },
  { key: 'switches', decimals: 0 },
  { key: 'cost', decimals: 0 },
  { key: 'kgCo2', decimals: 0 },
] as const satisfies readonly { readonly key: keyof Sums; readonly decimals: number }[];

/** What both plans take, month by month; the picture above in words. */
export function MonthTable({ result, levels, from }: { result: Result; levels: Levels; from: string }) {
  const { t, i18n } = useTranslation('scheme');
  const { months, total, days } = result;
  const shown = figures.filter(({ key }) => total.a[key] !== null && total.b[key] !== null);
  const number = (value: number | null, decimals: number): string =>
    value === null ? '—' : formatNumber(value, i18n.language, decimals);
  /** What rounds to nothing has no sign. */
  const signed = (value: number): string => {
    const whole = Math.round(value) || 0;
    return `${whole > 0 ? '+' : ''}${formatNumber(whole, i18n.language, 0)}`;
  };
  // Each mean walks every ten minutes of the span.
  const means = useMemo(
    () =>
      new Map(
        ['', ...months.map(({ month }) => month)].map((month) => [
          month,
          { a: meanWhileLit(levels.a, from, days, month), b: meanWhileLit(levels.b, from, days, month) },
        ]),
      ),
    [levels, from, days, months],
  );
  const mean = (side: 'a' | 'b', month: string): string => {
    const value = means.get(month)?.[side] ?? null;
    return value === null ? '—' : formatPercent(value, i18n.language);
  };
  const cells = (a: Sums, b: Sums) =>
    shown.flatMap(({ key, decimals }) => [
      <td key={`${key}-a`} className="num">
        {number(a[key], decimals)}
      </td>,
      <td key={`${key}-b`} className="num">
        {number(b[key], decimals)}
      </td>,
      <td key={`${key}-d`} className="num" data-way={(b[key] ?? 0) < (a[key] ?? 0) ? 'less' : 'more'}>
        {signed((b[key] ?? 0) - (a[key] ?? 0))}
      </td>,
    ]);
  return (
    <Card title={t('sim.months.title')}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th rowSpan={2} scope="col">
                {t('sim.months.month')}
              </th>
              <th colSpan={2} scope="colgroup">
                {t('sim.months.level')}
              </th>
              {shown.map(({ key }) => (
                <th key={key} colSpan={3} scope="colgroup">
                  {t(`sim.figure.${key}`)}
                </th>
              ))}
            </tr>
            <tr>
              {['level', ...shown.map(({ key }) => key)].flatMap((key) =>
                ['A', 'B', ...(key === 'level' ? [] : ['B − A'])].map((side) => (
                  <th key={`${key}-${side}`} scope="col">
                    {side}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, a, b }) => (
              <tr key={month}>
                <th scope="row">{month}</th>
                <td className="num">{mean('a', month)}</td>
                <td className="num">{mean('b', month)}</td>
                {cells(a, b)}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('sim.months.total')}</th>
              <td className="num">{mean('a', '')}</td>
              <td className="num">{mean('b', '')}</td>
              {cells(total.a, total.b)}
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={styles.note}>
        {t('sim.months.watts', {
          learned: number(result.watts.learned, 0),
          nameplate: number(result.watts.nameplate, 0),
          unknown: number(result.watts.unknown, 0),
        })}
      </p>
    </Card>
  );
}
