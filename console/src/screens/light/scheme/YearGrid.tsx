import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedProgramme } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { addDays, type Day } from '../../../../../catalogue/lighting/zone.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import type { PreviewDay } from './CalendarTab.tsx';
import styles from './scheme.module.css';

interface Props {
  days: readonly PreviewDay[];
  programmes: readonly NamedProgramme[];
  day: Day;
  onDay: (day: Day) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** The month before or after, on the same day of it or its last one. */
function monthStep(day: Day, by: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + by + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + by, Math.min(date, last))).toISOString().slice(0, 10);
}

/** A year as twelve rows of days, each in the colour and pattern of its programme; arrow keys walk it. */
export function YearGrid({ days, programmes, day, onDay }: Props) {
  const { t } = useTranslation('scheme');
  const names = useDayNames();
  const grid = useRef<HTMLTableElement>(null);
  const placeOf = (key: number): number => programmes.findIndex((one) => one.key === key);
  const nameOf = (key: number): string => programmes[placeOf(key)]?.name ?? String(key);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const year = days[0]?.day.slice(0, 4) ?? day.slice(0, 4);
  const go = (to: Day): void => {
    if (!byDay.has(to)) return;
    onDay(to);
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus());
  };
  const pressed = (event: KeyboardEvent): void => {
    const by = steps[event.key];
    const month = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === undefined && month === 0) return;
    event.preventDefault();
    go(by === undefined ? monthStep(day, month) : addDays(day, by));
  };
  const counts = programmes.map(({ key }) => days.filter(({ programme }) => programme === key).length);
  return (
    <div className={styles.year}>
      <table ref={grid} onKeyDown={pressed}>
        <caption className={styles.hidden}>{t('year.caption', { year })}</caption>
        <tbody>
          {names.months().map((month, index) => (
            <tr key={month}>
              <th scope="row">{month}</th>
              {Array.from({ length: 31 }, (_, date) => {
                const at = `${year}-${String(index + 1).padStart(2, '0')}-${String(date + 1).padStart(2, '0')}`;
                const one = byDay.get(at);
                if (one === undefined) return null;
                const place = placeOf(one.programme);
                const label = t('year.cell', { day: names.long(at), programme: nameOf(one.programme) });
                return (
                  <td key={at}>
                    <button
                      type="button"
                      tabIndex={at === day ? 0 : -1}
                      aria-pressed={at === day}
                      aria-label={label}
                      title={label}
                      data-programme={place}
                      data-holiday={one.holidays.length > 0 || undefined}
                      data-rule={one.rule !== null || undefined}
                      onClick={() => onDay(at)}
                    >
                      {date + 1}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={styles.legend}>
        {programmes.map(({ key, name }, index) => (
          <li key={key}>
            <i className={styles.swatch} data-programme={index} aria-hidden />
            {name === '' ? t('programme.unnamed', { n: index + 1 }) : name}
            <small>{t('year.days', { n: counts[index] ?? 0 })}</small>
          </li>
        ))}
        <li>
          <i className={styles.dot} aria-hidden />
          {t('year.holiday')}
        </li>
      </ul>
    </div>
  );
}
