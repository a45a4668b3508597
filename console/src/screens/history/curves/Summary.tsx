import { Checkbox } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText } from '../../../parts/charts/index.ts';
import { useInk } from '../../../parts/curves/CurveStack.tsx';
import { gapsWithin } from '../../../parts/curves/gaps.ts';
import { qualities, type Curve, type Span } from '../../../parts/curves/model.ts';
import { Swatch, valueText } from '../../../parts/curves/Reading.tsx';
import { summaryOf } from '../../../parts/curves/nearest.ts';
import { formatNumber } from '../../../parts/index.ts';
import { curveKey, type Series } from '../../../parts/series/panels.ts';
import styles from './history.module.css';

interface Props {
  curves: readonly Curve[];
  series: readonly Series[];
  span: Span;
  hidden: ReadonlySet<string>;
  onHide: (key: string, hide: boolean) => void;
  onChoose: (key: string | null) => void;
}

/**
 * The legend of the curves, and what each says of the span: least, mean, greatest, last, gaps, and how good its
 * readings are.
 */
export function Summary({ curves, series, span, hidden, onHide, onChoose }: Props) {
  const { t } = useTranslation('curves');
  const ink = useInk();
  const columns = ['name', 'low', 'mean', 'high', 'last', 'gaps', 'quality'] as const;
  return (
    <div className={styles.scroll}>
      <table className={styles.summary} aria-label={t('summary')}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`summary.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {curves.map((curve) => (
            <tr
              key={curve.key}
              onPointerEnter={() => onChoose(curve.key)}
              onPointerLeave={() => onChoose(null)}
              data-hidden={hidden.has(curve.key) || undefined}
            >
              <th scope="row">
                <span className={styles.named}>
                  {curve.moved === undefined ? (
                    <Checkbox
                      checked={!hidden.has(curve.key)}
                      aria-label={t('summary.show', { name: curve.name })}
                      onFocus={() => onChoose(curve.key)}
                      onBlur={() => onChoose(null)}
                      onChange={(event) => onHide(curve.key, !event.target.checked)}
                    />
                  ) : (
                    <span className={styles.noCheck} />
                  )}
                  <Swatch curve={curve} ink={ink} />
                  <span>{curve.name}</span>
                </span>
              </th>
              <Figures
                curve={curve}
                span={span}
                quality={
                  curve.moved === undefined ? series.find((one) => curveKey(one) === curve.key)?.quality : undefined
                }
                language={ink.language}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figures({
  curve,
  span,
  quality,
  language,
}: {
  curve: Curve;
  span: Span;
  quality: Series['quality'] | undefined;
  language: string;
}) {
  const { t } = useTranslation('curves');
  // Pointing at a line draws the table anew; what ten thousand points say is the same as before.
  const figures = useMemo(() => summaryOf(curve), [curve]);
  const own = curve.moved === undefined ? span : { from: -Infinity, to: Infinity };
  const gaps = gapsWithin(curve.points.gaps, own);
  const value = (amount: number | undefined): string =>
    amount === undefined || curve.words ? '—' : valueText(curve, amount, language);
  return (
    <>
      <td>{value(figures?.low)}</td>
      <td>{value(figures?.mean)}</td>
      <td>{value(figures?.high)}</td>
      <td>{figures ? valueText(curve, figures.last, language) : '—'}</td>
      <td>
        {gaps.length === 0
          ? t('summary.noGaps')
          : t('summary.gapsOf', {
              n: gaps.length,
              length: durationText(
                gaps.reduce((sum, { from, to }) => sum + to - from, 0),
                language,
              ),
            })}
      </td>
      <td>{quality ? <Shares quality={quality} language={language} /> : '—'}</td>
    </>
  );
}

function Shares({ quality, language }: { quality: Series['quality']; language: string }) {
  const { t } = useTranslation('curves');
  const all = qualities.reduce((sum, one) => sum + quality[one], 0);
  if (all === 0) return <>—</>;
  return (
    <>
      {qualities
        .filter((one) => quality[one] > 0)
        .map((one) => (
          <span key={one} className={styles.share} data-quality={one}>
            {t('summary.share', {
              what: t(`quality.${one}`),
              share: formatNumber((quality[one] / all) * 100, language, quality[one] === all ? 0 : 1),
            })}
          </span>
        ))}
    </>
  );
}
