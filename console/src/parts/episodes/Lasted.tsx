import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import { useTime } from '../time/zone.ts';
import styles from './lasted.module.css';
import { useEpisodeWords, type Episode } from './words.ts';

export type Lasting = Pick<Episode, 'beganAt' | 'endedAt' | 'seconds' | 'times' | 'lastAt'>;

/**
 * From when to when and how long: the end stands beside the beginning, and what goes on says since when. `devices`: so
 * many have it, each counted once.
 */
export function Lasted({ of, devices = 1 }: { of: Lasting; devices?: number }) {
  const { t, i18n } = useTranslation('episodes');
  const words = useEpisodeWords();
  const time = useTime();
  const now = Date.now();
  const { beganAt, endedAt, lastAt, times } = of;
  const moment = (at: string, beside: string | number = now): string =>
    time(at, time(at, 'date') === time(beside, 'date') ? 'minute' : 'dayTime', beside);
  const many = times > devices ? <span>{t('times', { n: formatNumber(times, i18n.language, 0) })}</span> : null;
  if (endedAt === null)
    return (
      <span className={styles.lasted}>
        <em>
          <time dateTime={lastAt} title={time(lastAt, 'dateTime')}>
            {t('since', { began: moment(lastAt), length: words.lasted(of, now) })}
          </time>
        </em>
        {many}
      </span>
    );
  const began = (
    <time dateTime={beganAt} title={time(beganAt, 'dateTime')}>
      {moment(beganAt)}
    </time>
  );
  if (endedAt === beganAt)
    return (
      <span className={styles.lasted}>
        <span>{began}</span>
        {many}
      </span>
    );
  return (
    <span className={styles.lasted}>
      <span>
        {began} –{' '}
        <time dateTime={endedAt} title={time(endedAt, 'dateTime')}>
          {moment(endedAt, beganAt)}
        </time>
      </span>
      <span>{words.lasted(of, now)}</span>
      {many}
    </span>
  );
}

/** That it is over, in a word beside what it was. */
export function Over() {
  const { t } = useTranslation('episodes');
  return <span className={styles.over}>{t('over')}</span>;
}

/**
 * What it is, whether it is over, why, and how long. `dated`: when it began stands beside it, which is enough for what
 * was over at once.
 */
export function EpisodeText({ of, dated = false }: { of: Episode; dated?: boolean }) {
  const words = useEpisodeWords();
  const { kind, fault, reason, via, address, endedAt, beganAt, times } = of;
  return (
    <>
      <span>
        <b>
          {words.what(of)}
          {fault === null ? null : <small> {fault}</small>}
        </b>
        {endedAt === null || endedAt === beganAt ? null : (
          <>
            {' '}
            <Over />
          </>
        )}
      </span>
      {kind === 'fault' || reason === null ? null : (
        <small>
          {words.reason(reason)}
          {via === null ? null : (
            <>
              {' '}
              · <span className="code">{via.code}</span>
            </>
          )}
          {address === null ? null : (
            <>
              {' '}
              · <span className="code">{address}</span>
            </>
          )}
        </small>
      )}
      {dated && endedAt === beganAt && times === 1 ? null : (
        <small>
          <Lasted of={of} />
        </small>
      )}
    </>
  );
}
