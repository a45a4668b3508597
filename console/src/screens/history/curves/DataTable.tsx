import { Pagination } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText } from '../../../parts/charts/index.ts';
import { useInk } from '../../../parts/curves/CurveStack.tsx';
import type { Ink } from '../../../parts/curves/ink.ts';
import type { Curve, Span } from '../../../parts/curves/model.ts';
import { spanText, Swatch, valueText } from '../../../parts/curves/Reading.tsx';
import { formatNumber } from '../../../parts/index.ts';
import { formatTime } from '../../../parts/time/zone.ts';
import { rowsOf, type Row } from './rows.ts';
import styles from './history.module.css';

const size = 50;

/** The same data as a table, the newest first; a gap of all curves is a line of its own. */
export function DataTable({ curves, span }: { curves: readonly Curve[]; span: Span }) {
  const { t } = useTranslation('curves');
  const ink = useInk();
  const [page, setPage] = useState(1);
  const rows = useMemo(() => rowsOf(curves, span).toReversed(), [curves, span]);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const shown = rows.slice((Math.min(page, last) - 1) * size, Math.min(page, last) * size);
  return (
    <>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('table')}>
        <table className={styles.data} aria-label={t('table')}>
          <thead>
            <tr>
              <th scope="col">{t('table.time')}</th>
              {curves.map((curve) => (
                <th key={curve.key} scope="col">
                  <Swatch curve={curve} ink={ink} /> {curve.name}
                  {curve.unit === '' ? '' : ` (${curve.unit})`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) =>
              'gap' in row ? (
                <tr key={`gap ${row.gap.from}`} className={styles.gapRow}>
                  <td colSpan={curves.length + 1}>
                    {t('table.gap', {
                      from: formatTime(row.gap.from, 'dateTime', ink.zone),
                      to: formatTime(row.gap.to, 'dateTime', ink.zone),
                      length: durationText(row.gap.to - row.gap.from, ink.language),
                    })}
                  </td>
                </tr>
              ) : (
                <DataRow key={row.at} row={row} curves={curves} ink={ink} />
              ),
            )}
          </tbody>
        </table>
      </div>
      <div className={styles.pager}>
        <span>{t('table.rows', { n: formatNumber(rows.length, ink.language, 0) })}</span>
        <Pagination
          size="small"
          simple={{ readOnly: false }}
          current={Math.min(page, last)}
          pageSize={size}
          total={rows.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      </div>
    </>
  );
}

function DataRow({ row, curves, ink }: { row: Extract<Row, { at: number }>; curves: readonly Curve[]; ink: Ink }) {
  const { t } = useTranslation('curves');
  const width = curves.find(({ moved }) => moved === undefined)?.points.width ?? 0;
  return (
    <tr>
      <th scope="row">{width > 0 ? spanText(row.at, width, ink.zone) : formatTime(row.at, 'dateTime', ink.zone)}</th>
      {curves.map(({ key, points, words, decimals }, column) => {
        const index = row.indexes[column] ?? null;
        if (index === null) return <td key={key}>—</td>;
        const [low, high, flag] = [points.lows?.[index], points.highs?.[index], points.flags?.[index] ?? 'measured'];
        return (
          <td key={key}>
            {valueText({ words, decimals, unit: '' } as Curve, points.values[index]!, ink.language)}
            {low !== undefined && high !== undefined && low !== high ? (
              <small>
                {t('band', {
                  low: formatNumber(low, ink.language, decimals),
                  high: formatNumber(high, ink.language, decimals),
                })}
              </small>
            ) : null}
            {flag === 'measured' ? null : <small data-quality={flag}>{t(`quality.${flag}`)}</small>}
          </td>
        );
      })}
    </tr>
  );
}
