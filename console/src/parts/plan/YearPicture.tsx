import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { YearNight } from './model.ts';
import { useDayNames } from './days.ts';
import { pixelsOf, rows } from './year-picture.ts';
import styles from './plan.module.css';

/** The year as a picture, a column a night, and the slider that chooses the day the ribbon shows. */
export function YearPicture({
  nights,
  day,
  onDay,
}: {
  nights: readonly YearNight[];
  day: Day;
  onDay: (day: Day) => void;
}) {
  const { t } = useTranslation('plan');
  const names = useDayNames();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (!pen || nights.length === 0) return;
    const picture = pen.createImageData(nights.length, rows);
    picture.data.set(pixelsOf(nights));
    pen.putImageData(picture, 0, 0);
  }, [nights]);
  const first = nights[0]?.scene.day ?? day;
  const at = Math.max(
    0,
    nights.findIndex((one) => one.scene.day === day),
  );
  const share = (index: number): number => (index + 0.5) / Math.max(1, nights.length);
  return (
    <div className={styles.year}>
      <div className={styles.yearBox}>
        <canvas ref={canvas} width={nights.length} height={rows} aria-hidden />
        <i className={styles.yearAt} style={{ left: `${share(at) * 100}%` }} aria-hidden />
        <input
          type="range"
          min={0}
          max={Math.max(0, nights.length - 1)}
          value={at}
          aria-label={t('year.slider')}
          aria-valuetext={names.day(day)}
          onChange={(event) => onDay(addDays(first, Number(event.target.value)))}
        />
      </div>
      <div className={styles.months} aria-hidden>
        {names.months().map((month, index) => (
          <span key={index}>{month}</span>
        ))}
      </div>
    </div>
  );
}
