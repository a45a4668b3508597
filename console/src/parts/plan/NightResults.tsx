import { InputNumber } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { energyOf, usualWatts, wattsOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { formatTime } from '../time/zone.ts';
import { useDayNames } from './days.ts';
import { extremeOf, fullHours, litEnds, type YearNight } from './model.ts';
import styles from './plan.module.css';

/** What the programme makes of the shown, the shortest and the longest night, for a lamp of so many watts. */
export function NightResults({
  shown,
  tonight,
  nights,
  timeZone,
  watts,
  onWatts,
}: {
  shown: YearNight;
  /** The shown day is today's lighting day. */
  tonight: boolean;
  nights: readonly YearNight[];
  timeZone: string;
  watts: number | null;
  onWatts: (watts: number | null) => void;
}) {
  const { t, i18n } = useTranslation('plan');
  const id = useId();
  const names = useDayNames();
  const number = (value: number, decimals: number): string => formatNumber(value, i18n.language, decimals);
  const wattsAt = wattsOf(watts ?? usualWatts);
  const total = nights.reduce((sum, { night }) => sum + energyOf(night, wattsAt), 0);
  const full = nights.reduce((sum, { night }) => {
    const { on, off } = night;
    return sum + (on === null || off === null ? 0 : ((off - on) / 3_600_000) * (wattsAt(100) / 1000));
  }, 0);
  const lines = [
    { key: 'shown', name: tonight ? t('night.tonight') : t('night.shown'), one: shown },
    { key: 'shortest', name: t('night.shortest'), one: extremeOf(nights, 'shortest') },
    { key: 'longest', name: t('night.longest'), one: extremeOf(nights, 'longest') },
  ];
  return (
    <div className={styles.results}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('result.night')}</th>
            <th scope="col">{t('result.light')}</th>
            <th scope="col">{t('result.hours')}</th>
            <th scope="col">{t('result.energy')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, name, one }) => {
            const ends = one === null ? null : litEnds(one.night);
            return (
              <tr key={key}>
                <th scope="row">
                  {name}
                  <small>{one === null ? '—' : names.day(one.scene.day)}</small>
                </th>
                <td>
                  {ends === null
                    ? '—'
                    : `${formatTime(ends[0], 'minute', timeZone)}–${formatTime(ends[1], 'minute', timeZone)}`}
                </td>
                <td>{one === null || ends === null ? '—' : number(fullHours(one.night), 1)}</td>
                <td>{one === null || ends === null ? '—' : number(energyOf(one.night, wattsAt), 2)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className={styles.watts}>
        <label htmlFor={id}>{t('result.watts')}</label>
        <InputNumber<number>
          id={id}
          value={watts}
          placeholder={String(usualWatts)}
          min={1}
          max={2000}
          precision={0}
          suffix="W"
          style={{ width: 104 }}
          onChange={onWatts}
        />
        {total > 0 ? (
          <p>
            {t('result.year', { kwh: number(total, 0) })}
            {full > total ? <b>{t('result.saved', { share: number((1 - total / full) * 100, 0) })}</b> : null}
          </p>
        ) : null}
      </div>
    </div>
  );
}
