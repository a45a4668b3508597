import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import type { getHomeChanges } from '../../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { useCall } from '../../../api/index.ts';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, formatNumber, Skeleton, StateShape, useTime } from '../../../parts/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Lasted, Over } from '../../../parts/episodes/Lasted.tsx';
import { markOf, useEpisodeWords } from '../../../parts/episodes/words.ts';
import styles from './home.module.css';
import { ListLink } from './Figures.tsx';
import type { Home } from './NightRibbon.tsx';

type Change = ReplyOf<typeof getHomeChanges>['data'][number];

/** Where a change leads: to the one lamp, else to the road's lamps, narrowed to the fault where some still have it. */
export function changeTarget(change: Change): { to: string; params?: { id: number }; search?: string } {
  if (change.count === 1 && change.deviceId !== null && isLamp(change.family))
    return { to: 'lamp/device', params: { id: change.deviceId } };
  const page = isLamp(change.family) ? undefined : pageOfFamily(change.family);
  if (page) return { to: page };
  const query = new URLSearchParams({ view: 'list' });
  if (change.roadId !== null) query.set('roads', String(change.roadId));
  if (change.open > 0 && change.fault !== null) query.set('faults', change.fault);
  if (change.open > 0 && change.kind === 'offline') query.set('states', 'offline');
  return { to: 'lamp/monitor', search: `?${query.toString()}` };
}

/** What began or ended tonight, the latest change first, each with its end; each line opens what it is about. */
export function Changes({ changes }: { changes: ReturnType<typeof useCall<typeof getHomeChanges>> }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const data = changes.data;
  const count = data ? formatNumber(data.recordsTotal, i18n.language, 0) : '';
  return (
    <Card
      title={t('changes.title')}
      extra={data ? t('changes.since', { time: time(data.since, 'minute'), count }) : null}
      flush
    >
      {changes.error && !data ? <ErrorState error={changes.error} onRetry={changes.refetch} /> : null}
      {changes.isPending ? (
        <div className={styles.pad}>
          <Skeleton rows={5} />
        </div>
      ) : null}
      {data?.data.length === 0 ? <Empty title={t('changes.none')} text={t('changes.noneText')} /> : null}
      {data && data.data.length > 0 ? (
        <ol className={styles.changes}>
          {data.data.map((change, index) => (
            <ChangeLine key={`${change.beganAt}${index}`} change={change} />
          ))}
        </ol>
      ) : null}
    </Card>
  );
}

function ChangeLine({ change }: { change: Change }) {
  const { t, i18n } = useTranslation('home');
  const { t: told } = useTranslation('episodes');
  const time = useTime();
  const open = useOpen();
  const may = usePermission('lamp.monitor');
  const words = useEpisodeWords();
  const names = useNames();
  const { count, open: left, endedAt } = change;
  const target = changeTarget(change);
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const who =
    count === 1
      ? (change.code ?? '')
      : isLamp(change.family)
        ? t('changes.lamps', { count: number(count) })
        : t('changes.devices', { count: number(count), family: names.family(change.family) });
  const line = (
    <>
      <b>{who}</b> {words.what(change)}
      {endedAt === null ? null : (
        <>
          {' '}
          <Over />
        </>
      )}
    </>
  );
  return (
    <li>
      <time dateTime={change.at} title={time(change.at, 'dateTime')}>
        {time(change.at, 'minute')}
      </time>
      <StateShape state={markOf(change)} />
      <div>
        {may ? (
          <button
            type="button"
            onClick={() =>
              open(target.to, {
                ...(target.params ? { params: target.params } : {}),
                ...(target.search ? { search: target.search } : {}),
              })
            }
          >
            {line}
          </button>
        ) : (
          line
        )}
        <small>
          <Lasted of={change} devices={count} />
          {left === 0 || left === count ? null : (
            <> · {told('partly', { over: number(count - left), open: number(left) })}</>
          )}
        </small>
        {change.roadName === null ? null : <small>{change.roadName}</small>}
      </div>
    </li>
  );
}

/** Open faults by kind, the most frequent first; each opens its lamps. */
export function FaultKinds({ faults }: { faults: Home['faults'] }) {
  const { t, i18n } = useTranslation('home');
  const names = useNames();
  const kinds = Object.entries(faults.byCode)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  return (
    <Card title={t('kinds.title')} flush>
      {kinds.length === 0 ? (
        <p className={styles.quiet}>{t('kinds.none')}</p>
      ) : (
        <ul className={styles.kinds}>
          {kinds.map(([code, count]) => (
            <li key={code}>
              <StateShape state={code.startsWith('N') ? 'offline' : 'alarm'} />
              <ListLink to="lamp/monitor" search={`?view=list&faults=${code}`}>
                {names.fault(code)}
              </ListLink>
              <small>{code}</small>
              <b>{formatNumber(count, i18n.language, 0)}</b>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
