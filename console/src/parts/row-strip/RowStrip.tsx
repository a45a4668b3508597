import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../page/use-narrow.ts';
import { beside, isLit, keptAt, placeOf, type Place, type Shown, type StripPole, type StripRow } from './strip.ts';
import styles from './RowStrip.module.css';

interface Props<Pole extends StripPole> {
  readonly rows: readonly StripRow<Pole>[];
  readonly shown: Shown;
  /** The pole that keys start from; null: the first one. */
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
  /** Moves a pole to a place; absent: the rows are only looked at. */
  readonly onMove?: ((id: number, to: Place) => void) | undefined;
}

/** What a dragged pole carries. */
const dragType = 'application/x-lampyris-pole';

/**
 * The rows of a road as dots in order, both sides facing each other, lit as a pattern lights them. Arrow keys go from
 * pole to pole, Alt with an arrow key moves the pole; so does dragging.
 */
export function RowStrip<Pole extends StripPole>({ rows, shown, chosen, onChoose, onMove }: Props<Pole>) {
  const { t } = useTranslation('row-strip');
  const strip = useRef<HTMLDivElement>(null);
  const goes = useRef(false);
  const here = (chosen === null ? undefined : placeOf(rows, chosen)) ?? placeOf(rows, rows[0]?.poles[0]?.id ?? 0);
  useEffect(() => {
    // The pole that was moved keeps the focus in its new place.
    if (goes.current) strip.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    goes.current = false;
  }, [rows, chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!here) return;
    const to = beside(rows, here, event.key);
    if (!to) return;
    event.preventDefault();
    goes.current = true;
    const id = rows.find(({ side }) => side === (event.altKey ? here : to).side)?.poles[
      (event.altKey ? here : to).index
    ]?.id;
    if (id === undefined) return;
    if (event.altKey) onMove?.(id, to);
    onChoose(id);
  };
  const narrow = useNarrow();
  const widest = Math.max(...rows.map(({ poles }) => poles.length), 1);
  return (
    <div className={styles.scroll}>
      <div ref={strip} className={styles.strip} style={{ minWidth: `${widest * (narrow ? 34 : 26) + 8}px` }}>
        {rows.map((row) => (
          <div
            key={row.side}
            role="listbox"
            tabIndex={-1}
            aria-label={t(`side.${row.side}`)}
            aria-orientation="horizontal"
            className={`${styles.row ?? ''} ${styles[row.side] ?? ''}`}
            onKeyDown={onKeyDown}
          >
            {row.poles.map((pole, index) => {
              const kept = keptAt(row, index);
              const lit = isLit(row, index, shown);
              const current = here?.side === row.side && here.index === index;
              const said = t('pole', {
                code: pole.code,
                n: index + 1,
                of: row.poles.length,
                state: [t(lit ? 'lit' : 'dark'), ...(kept === null ? [] : [t(`kept.${kept}`)])].join(t('comma')),
              });
              return (
                <span
                  key={pole.id}
                  role="option"
                  aria-selected={current}
                  tabIndex={current ? 0 : -1}
                  aria-label={said}
                  title={said}
                  className={[styles.pole, lit ? styles.lit : '', kept ? styles.kept : ''].filter(Boolean).join(' ')}
                  draggable={onMove !== undefined}
                  onClick={() => onChoose(pole.id)}
                  onFocus={() => {
                    if (!current) onChoose(pole.id);
                  }}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(dragType, String(pole.id));
                    event.dataTransfer.effectAllowed = 'move';
                    onChoose(pole.id);
                  }}
                  onDragOver={(event) => {
                    if (onMove && event.dataTransfer.types.includes(dragType)) event.preventDefault();
                  }}
                  onDrop={(event) => {
                    event.preventDefault();
                    const id = Number(event.dataTransfer.getData(dragType));
                    if (placeOf(rows, id)) onMove?.(id, { side: row.side, index });
                  }}
                >
                  {index === 0 || (index + 1) % 5 === 0 ? <small aria-hidden>{index + 1}</small> : null}
                </span>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
