import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { formatNumber, StaleNote, StateMark, useTime } from '../../../parts/index.ts';
import styles from './home.module.css';
import type { Home } from './NightRibbon.tsx';

/** A figure that opens the list it was counted from; without the right to see that list it is only a figure. */
export function ListLink({ to, search, children }: { to: string; search?: string; children: ReactNode }) {
  const open = useOpen();
  const monitor = usePermission('lamp.monitor');
  const devices = usePermission('device.query');
  const may = to === 'lamp/monitor' ? monitor : devices;
  if (!may) return <>{children}</>;
  return (
    <button
      type="button"
      className={styles.figureLink}
      onClick={() => open(to, search === undefined ? {} : { search })}
    >
      {children}
    </button>
  );
}

function Figure({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.figure}>
      <h2>
        {title}
        {note}
      </h2>
      {children}
    </section>
  );
}

function Value({ text, unit, minor = false }: { text: string; unit?: string; minor?: boolean }) {
  return (
    <span className={minor ? `${styles.value} ${styles.minor}` : styles.value}>
      {text}
      {unit ? <small>{unit}</small> : null}
    </span>
  );
}

/** The four figures of the duty page, each counted by the server and opening its list. */
export function Figures({ home }: { home: Home }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const number = (value: number, decimals = 0) => formatNumber(value, i18n.language, decimals);
  const percent = (value: number | null) => (value === null ? '—' : number(value * 100, 2));
  const { litRate, online, faults, energy } = home;
  const offline = online.lamps.denominator - online.lamps.numerator;
  const stale = home.stale ? <StaleNote time={time(home.staleSince, 'minute')} /> : null;
  const notLit = litRate.strict.denominator - litRate.strict.numerator;
  return (
    <div className={styles.figures} data-stale={home.stale || undefined}>
      <Figure title={t('lit.title')} note={stale}>
        <div className={styles.pair}>
          <div>
            <ListLink to="lamp/monitor" search="?view=list&lit=lit">
              <Value text={litRate.counted ? percent(litRate.knownOnly.value) : '—'} unit="%" />
            </ListLink>
            <p>{t('lit.known')}</p>
          </div>
          <div>
            <ListLink to="lamp/monitor" search="?view=list&lit=notLit">
              <Value text={litRate.counted ? percent(litRate.strict.value) : '—'} unit="%" minor />
            </ListLink>
            <p>{t('lit.strict')}</p>
          </div>
        </div>
        <p className={styles.detail}>
          {litRate.counted ? (
            <ListLink to="lamp/monitor" search="?view=list&lit=notLit">
              {t('lit.notLit', { count: number(notLit), unknown: number(litRate.unknown) })}
            </ListLink>
          ) : litRate.countedFrom === null ? (
            t('lit.notNow')
          ) : (
            t('lit.from', { time: time(litRate.countedFrom, 'minute') })
          )}
        </p>
      </Figure>
      <Figure title={t('online.title')}>
        <ListLink to="lamp/monitor" search="?view=list&online=true">
          <Value
            text={number(online.lamps.numerator)}
            unit={t('online.of', { total: number(online.lamps.denominator) })}
          />
        </ListLink>
        <p className={styles.detail}>
          <ListLink to="lamp/monitor" search="?view=list&online=false">
            <StateMark state="offline" word={t('online.offline', { count: number(offline) })} />
          </ListLink>
          <ListLink to="lamp/central-controllers">
            {t('online.controllers', {
              count: number(online.controllers.numerator),
              total: number(online.controllers.denominator),
            })}
          </ListLink>
        </p>
      </Figure>
      <Figure title={t('faults.title')}>
        <ListLink to="lamp/monitor" search="?view=list&states=alarm,offline">
          <Value text={number(faults.total)} unit={t('faults.unit')} />
        </ListLink>
        <p className={styles.detail}>
          <StateMark
            state={faults.severe > 0 ? 'alarm' : 'on'}
            word={t('faults.severe', { count: number(faults.severe) })}
          />
          <span>{t('faults.medium', { count: number(faults.medium) })}</span>
          <span>{t('faults.minor', { count: number(faults.minor) })}</span>
        </p>
      </Figure>
      <Figure
        title={
          energy.since === null ? t('energy.title') : t('energy.titleSince', { time: time(energy.since, 'minute') })
        }
      >
        <ListLink to="lamp/monitor" search="?view=list">
          <Value text={energy.kWh === null ? '—' : number(energy.kWh, energy.kWh < 100 ? 1 : 0)} unit="kWh" />
        </ListLink>
        <p className={styles.detail}>
          <span>
            {energy.powerKw === null ? t('energy.noPower') : t('energy.power', { power: number(energy.powerKw, 1) })}
          </span>
          <span>{t('energy.covered', { count: number(energy.covered) })}</span>
        </p>
      </Figure>
    </div>
  );
}
