import { Button, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { rowSides } from '../../../../../catalogue/lighting/rows.ts';
import { formatList } from '../../../parts/index.ts';
import { keptAt, placeOf, type Place } from '../../../parts/row-strip/strip.ts';
import type { Edited } from './edit-rows.ts';
import styles from './rows.module.css';

interface Props {
  readonly edited: Edited;
  readonly id: number | null;
  readonly may: boolean;
  readonly onMove: (id: number, to: Place) => void;
  readonly onTakeOut: (id: number) => void;
  readonly onKeep: (id: number) => void;
}

/** The pole that is chosen in the strip: its place, its lamps, and what can be done with it by buttons. */
export function ChosenPole({ edited, id, may, onMove, onTakeOut, onKeep }: Props) {
  const { t, i18n } = useTranslation('rows');
  const place = id === null ? undefined : placeOf(edited.rows, id);
  const row = edited.rows.find(({ side }) => side === place?.side);
  const pole = place && row?.poles[place.index];
  if (!place || !row || !pole) return <p className={styles.note}>{t('chosen.none')}</p>;
  const kept = keptAt(row, place.index);
  const step = (by: number): void => onMove(pole.id, { side: place.side, index: place.index + by });
  return (
    <section className={styles.chosen} aria-label={t('chosen.title')}>
      <div>
        <b className="code">{pole.code}</b> {pole.name ?? ''}
        <p className={styles.note}>
          {t('chosen.place', { side: t(`side.${place.side}`), n: place.index + 1, of: row.poles.length })}
          {kept === null ? '' : ` · ${t(`kept.${kept}`)}`}
          {pole.lamps.length === 0
            ? ` · ${t('chosen.noLamps')}`
            : ` · ${formatList(
                pole.lamps.map(({ code }) => code),
                i18n.language,
              )}`}
        </p>
      </div>
      {may ? (
        <div className={styles.tools}>
          <Checkbox checked={pole.keep} onChange={() => onKeep(pole.id)}>
            {t('keep')}
          </Checkbox>
          <Button size="small" disabled={place.index === 0} onClick={() => step(-1)}>
            {t('earlier')}
          </Button>
          <Button size="small" disabled={place.index === row.poles.length - 1} onClick={() => step(1)}>
            {t('later')}
          </Button>
          {rowSides
            .filter((side) => side !== place.side && (side !== 'none' || pole.roadside === 'none'))
            .map((side) => (
              <Button
                key={side}
                size="small"
                onClick={() => onMove(pole.id, { side, index: indexBeside(edited, place, side) })}
              >
                {t('toSide', { side: t(`side.${side}`) })}
              </Button>
            ))}
          <Button size="small" danger onClick={() => onTakeOut(pole.id)}>
            {t('takeOut')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** Facing its place in the other row. */
function indexBeside({ rows }: Edited, place: Place, side: Place['side']): number {
  const [from, to] = [place.side, side].map((one) => rows.find((row) => row.side === one)?.poles.length ?? 0);
  return Math.round(((to ?? 0) * place.index) / Math.max(1, (from ?? 0) - 1));
}
