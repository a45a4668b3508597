import { Segmented } from 'antd';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day } from '../../../../../catalogue/lighting/zone.ts';
import { useWidth } from '../../../parts/curves/use-size.ts';
import { Card, formatPercent } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import { useLook } from '../../../theme/use-look.ts';
import {
  cellsOfDay,
  clockOf,
  inks,
  levelAt,
  monthStarts,
  namedMonths,
  paintHeat,
  type HeatMode,
  type Levels,
} from './heat.ts';
import styles from './simulation.module.css';

const height = cellsOfDay * 2;
/** Noon, six in the evening, midnight, six in the morning. */
const hours = [0, 36, 72, 108];
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [-30, 0],
  PageDown: [30, 0],
};
const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** The year as a picture: days across, the night from noon to noon down. Arrow keys read it cell by cell. */
export function HeatMap({ levels, from, days }: { levels: Levels; from: Day; days: number }) {
  const { t, i18n } = useTranslation('scheme');
  const names = useDayNames();
  const { theme } = useLook();
  const [mode, setMode] = useState<HeatMode>('difference');
  const [[day, cell], setPlace] = useState<readonly [number, number]>([0, 72]);
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(plot);
  const months = useMemo(() => monthStarts(from, days), [from, days]);
  useEffect(() => {
    const pen = width > 0 ? canvas.current?.getContext('2d') : null;
    if (!pen) return;
    const ink = inks[theme === 'light' ? 'light' : 'dark'];
    pen.putImageData(new ImageData(paintHeat(levels, { days, width, height, mode, ink }), width, height), 0, 0);
  }, [levels, days, width, mode, theme]);
  const percent = (value: number | null): string => (value === null ? '—' : formatPercent(value, i18n.language));
  const [a, b] = [levelAt(levels.a, day, cell), levelAt(levels.b, day, cell)];
  const spoken = t('sim.heat.cell', {
    day: names.long(addDays(from, day)),
    clock: clockOf(cell),
    a: percent(a),
    b: percent(b),
  });
  const pressed = (event: KeyboardEvent): void => {
    const [across = 0, down = 0] = moves[event.key] ?? [];
    if (across === 0 && down === 0) return;
    event.preventDefault();
    setPlace([within(day + across, days - 1), within(cell + down, cellsOfDay - 1)]);
  };
  const pointed = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    if (box.width === 0) return;
    setPlace([
      within(Math.floor(((event.clientX - box.left) / box.width) * days), days - 1),
      within(Math.floor(((event.clientY - box.top) / box.height) * cellsOfDay), cellsOfDay - 1),
    ]);
  };
  return (
    <Card
      title={t('sim.heat.title')}
      extra={
        <Segmented<HeatMode>
          aria-label={t('sim.heat.mode')}
          value={mode}
          options={[
            { value: 'difference', label: t('sim.difference') },
            { value: 'a', label: 'A' },
            { value: 'b', label: 'B' },
          ]}
          onChange={setMode}
        />
      }
    >
      <div className={styles.heat}>
        <div className={styles.hours} aria-hidden>
          {hours.map((at) => (
            <span key={at} style={{ top: `${(at / cellsOfDay) * 100}%` }}>
              {clockOf(at)}
            </span>
          ))}
        </div>
        <div
          ref={plot}
          className={styles.plot}
          role="slider"
          tabIndex={0}
          aria-label={t('sim.heat.label')}
          aria-valuemin={1}
          aria-valuemax={days}
          aria-valuenow={day + 1}
          aria-valuetext={spoken}
          onKeyDown={pressed}
          onPointerMove={pointed}
          onPointerDown={pointed}
        >
          <canvas ref={canvas} width={Math.max(1, width)} height={height} />
          <i className={styles.across} style={{ top: `${((cell + 0.5) / cellsOfDay) * 100}%` }} />
          <i className={styles.down} style={{ left: `${((day + 0.5) / days) * 100}%` }} />
        </div>
        <div className={styles.months} aria-hidden>
          {namedMonths(months, days, width).map(({ day: at, month }) => (
            <span key={month} style={{ left: `${(at / days) * 100}%` }}>
              {Number(month.slice(5))}
            </span>
          ))}
        </div>
      </div>
      <p className={styles.spoken}>{spoken}</p>
      {mode === 'difference' ? (
        <ul className={styles.legend}>
          <li>
            <i className={styles.swatch} data-way="less" aria-hidden />
            {t('sim.heat.less')}
          </li>
          <li>
            <i className={styles.swatch} data-way="more" aria-hidden />
            {t('sim.heat.more')}
          </li>
        </ul>
      ) : null}
      <p className={styles.note}>{t('sim.heat.note')}</p>
    </Card>
  );
}
