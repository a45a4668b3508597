import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { formatNumber, StaleNote, StateMark, useTime } from '../../../parts/index.ts';
import { useNow } from '../../../parts/time/use-now.ts';
import type { Home, HomeCurve } from './calls.ts';
import styles from './figures.module.css';

/** A figure that opens the list it was counted from; without the right to see that list it is only a figure. */
export function ListLink({ to, search, children }: { to: string; search?: string; children: ReactNode }) {
  const open = useOpen();
  const monitor = usePermission('lamp.monitor');
  const devices = usePermission('device.query');
  const may = to === 'lamp/monitor' ? monitor : devices;
  if (!may) return <>{children}</>;
  return (
    <button type="button" className={styles.link} onClick={() => open(to, search === undefined ? {} : { search })}>
      {children}
    </button>
  );
}

function Figure({
  title,
  note,
  value,
  unit,
  search,
  children,
}: {
  title: string;
  note?: ReactNode;
  value: string;
  unit?: string;
  /** The lamps that it was counted from. */
  search: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.figure}>
      <h2>
        {title}
        {note}
      </h2>
      <ListLink to="lamp/monitor" search={search}>
        <span className={styles.value}>
          {value}
          {unit ? <small>{unit}</small> : null}
        </span>
      </ListLink>
      <p className={styles.detail}>{children}</p>
    </section>
  );
}

/** The figures of the duty page, each counted by the server and opening its list; zero counts are left out. */
export function Figures({ home, curve }: { home: Home; curve: HomeCurve | undefined }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const number = (value: number, decimals = 0) => formatNumber(value, i18n.language, decimals);
  const percent = (value: number | null) => (value === null ? '—' : number(value * 100, 2));
  const { litRate, online, faults, energy } = home;
  const { lamps, controllers } = online;
  const offline = lamps.denominator - lamps.numerator;
  const notLit = litRate.strict.denominator - litRate.strict.numerator;
  return (
    <div className={styles.figures} data-stale={home.stale || undefined}>
      <Figure
        title={t('lit.title')}
        note={home.stale ? <StaleNote time={time(home.staleSince, 'minute')} /> : null}
        value={litRate.counted ? percent(litRate.knownOnly.value) : '—'}
        unit="%"
        search="?view=list&lit=lit"
      >
        {litRate.counted ? (
          <>
            <span title={t('lit.strictHint')}>{t('lit.strict', { rate: percent(litRate.strict.value) })}</span>
            {notLit > 0 ? (
              <ListLink to="lamp/monitor" search="?view=list&lit=notLit">
                {t('lit.notLit', { n: number(notLit) })}
              </ListLink>
            ) : null}
          </>
        ) : litRate.countedFrom === null ? (
          t('lit.notNow')
        ) : (
          t('lit.from', { time: time(litRate.countedFrom, 'minute') })
        )}
      </Figure>
      <Figure
        title={t('online.title')}
        value={number(lamps.numerator)}
        unit={t('online.of', { total: number(lamps.denominator) })}
        search="?view=list&online=true"
      >
        {offline > 0 ? (
          <ListLink to="lamp/monitor" search="?view=list&online=false">
            <StateMark state="offline" word={t('online.offline', { n: number(offline) })} />
          </ListLink>
        ) : (
          <span>{t('online.all')}</span>
        )}
        {controllers.denominator > 0 ? (
          <ListLink to="lamp/central-controllers">
            {t('online.controllers', { n: number(controllers.numerator), total: number(controllers.denominator) })}
          </ListLink>
        ) : null}
      </Figure>
      <Figure
        title={t('faults.title')}
        value={number(faults.total)}
        unit={t('faults.unit')}
        search="?view=list&states=alarm,offline"
      >
        {faults.severe > 0 ? <StateMark state="alarm" word={t('faults.severe', { n: number(faults.severe) })} /> : null}
        {faults.medium > 0 ? <span>{t('faults.medium', { n: number(faults.medium) })}</span> : null}
        {faults.minor > 0 ? <span>{t('faults.minor', { n: number(faults.minor) })}</span> : null}
        {faults.total === 0 ? <span>{t('faults.none')}</span> : null}
      </Figure>
      <Figure
        title={
          energy.since === null ? t('energy.title') : t('energy.titleSince', { time: time(energy.since, 'minute') })
        }
        value={energy.kWh === null ? '—' : number(energy.kWh, energy.kWh < 100 ? 1 : 0)}
        unit="kWh"
        search="?view=list"
      >
        <span>{t('energy.covered', { n: number(energy.covered) })}</span>
      </Figure>
      <Figure
        title={t('power.title')}
        value={energy.powerKw === null ? '—' : number(energy.powerKw, energy.powerKw < 1000 ? 1 : 0)}
        unit="kW"
        search="?view=list&sort=power,desc"
      >
        <Beside curve={curve} />
      </Figure>
    </div>
  );
}

/** What the plan expects now, and what last night took at this time. */
function Beside({ curve }: { curve: HomeCurve | undefined }) {
  const { t, i18n } = useTranslation('home');
  const now = useNow(true, 60_000);
  if (!curve) return null;
  const step = Math.round((now - Date.parse(curve.from)) / curve.stepSeconds / 1000);
  const kw = (value: number) => formatNumber(value, i18n.language, value < 1000 ? 1 : 0);
  const plan = curve.planKw[step] ?? null;
  const previous = curve.previousKw[step] ?? null;
  return (
    <>
      {plan === null ? null : <span>{t('power.plan', { kw: kw(plan) })}</span>}
      {previous === null ? null : <span>{t('power.previous', { kw: kw(previous) })}</span>}
      {plan === null && previous === null ? <span>—</span> : null}
    </>
  );
}
