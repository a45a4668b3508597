import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import {
  getDeviceTimeline,
  getPoleTimeline,
  type TimelineEntry,
  type timelineKinds,
} from '../../../../contract/register/device-history.ts';
import { useCall } from '../../api/index.ts';
import { Empty, ErrorState, Skeleton, StateShape, useTime, type MarkState } from '../index.ts';
import { EpisodeText } from '../episodes/Lasted.tsx';
import { markOf as episodeMark } from '../episodes/words.ts';
import { Ticks } from '../commands/Ticks.tsx';
import { useCommandWords } from '../commands/words.ts';
import { ChangeText } from './ChangeText.tsx';
import { DeviceLink } from './Head.tsx';
import styles from './device.module.css';

export type Entry = Static<typeof TimelineEntry>;
type Kind = (typeof timelineKinds)[number];
/** What a line of time is about; `kinds` in the order of the contract, absent: all. */
export interface TimelineOf {
  readonly id: number;
  readonly pole: boolean;
  readonly kinds?: readonly Kind[];
}

const REFRESH_MS = 30_000;
const PAGE = 20;

/**
 * What happened, newest first; older pages are added below on request. `empty` says what it means that there is
 * nothing.
 */
export function Timeline({ of, empty }: { of: TimelineOf; empty: string }) {
  const [pages, setPages] = useState(1);
  return (
    <ol className={styles.timeline}>
      <TimelinePage
        of={of}
        before={undefined}
        left={pages}
        empty={empty}
        onMore={() => setPages((count) => count + 1)}
      />
    </ol>
  );
}

interface PageProps {
  of: TimelineOf;
  before: string | undefined;
  left: number;
  empty: string;
  onMore: () => void;
}

/**
 * One page and, below it, those that were asked for besides: each begins where the one above it ends, also after a
 * refresh.
 */
function TimelinePage({ of, before, left, empty, onMore }: PageProps) {
  const { t } = useTranslation('devices');
  const input = {
    params: { id: of.id },
    query: {
      size: PAGE,
      ...(of.kinds ? { kinds: of.kinds.join(',') } : {}),
      ...(before === undefined ? {} : { before }),
    },
  };
  // Older pages too: what began long ago may end now.
  const options = { keepPrevious: true, staleTime: 0, every: REFRESH_MS };
  const device = useCall(getDeviceTimeline, input, { ...options, enabled: !of.pole });
  const pole = useCall(getPoleTimeline, input, { ...options, enabled: of.pole });
  const { data, error, refetch } = of.pole ? pole : device;
  if (error && !data)
    return (
      <li className={styles.notice}>
        <ErrorState error={error} onRetry={refetch} />
      </li>
    );
  if (!data)
    return (
      <li className={styles.notice}>
        <Skeleton rows={4} />
      </li>
    );
  const last = data.data.at(-1);
  if (!last)
    return before === undefined ? (
      <li className={styles.notice}>
        <Empty title={empty} />
      </li>
    ) : null;
  return (
    <>
      {data.data.map((entry) => (
        <Line key={entry.key} entry={entry} of={of} />
      ))}
      {!data.more ? null : left > 1 ? (
        <TimelinePage of={of} before={last.key} left={left - 1} empty={empty} onMore={onMore} />
      ) : (
        <li className={styles.notice}>
          <Button onClick={onMore}>{t('timeline.older')}</Button>
        </li>
      )}
    </>
  );
}

const markOf = ({ episode, command, change }: Entry): MarkState => {
  if (episode) return episodeMark(episode);
  if (command)
    return command.item.state === 'confirmed'
      ? 'on'
      : ['failed', 'timedOut', 'expired'].includes(command.item.state)
        ? 'alarm'
        : 'unknown';
  return change?.kind === 'deleted' ? 'off' : 'info';
};

function Line({ entry, of }: { entry: Entry; of: TimelineOf }) {
  const time = useTime();
  const { device } = entry;
  return (
    <li>
      <time dateTime={entry.at} title={time(entry.at, 'dateTime')}>
        {time(entry.at, 'dayTime')}
      </time>
      <span className={styles.dot}>
        <StateShape state={markOf(entry)} />
      </span>
      <div className={styles.what}>
        {of.pole && device.id !== of.id ? (
          <span className={styles.whose}>
            {device.gone ? (
              <span className="code">{device.code}</span>
            ) : (
              <DeviceLink family={device.family} id={device.id}>
                <span className="code">{device.code}</span>
              </DeviceLink>
            )}
          </span>
        ) : null}
        <What entry={entry} />
      </div>
    </li>
  );
}

function What({ entry: { episode, command, change } }: { entry: Entry }) {
  const { t } = useTranslation('devices');
  const words = useCommandWords();
  if (episode) return <EpisodeText of={episode} dated />;
  if (command) {
    const { item } = command;
    const read = command.command === 'read';
    return (
      <>
        <b>{words.title(command.command, command.args)}</b>
        <small>
          {command.reason === null
            ? command.actorName
            : t('timeline.reason', { who: command.actorName, why: command.reason })}
        </small>
        <span className={styles.outcome}>
          <Ticks item={item} read={read} />
          <small data-failed={item.state === 'failed' || item.state === 'timedOut' || undefined}>
            {words.outcome(item, read)}
          </small>
        </span>
      </>
    );
  }
  return change ? <ChangeText change={change} /> : null;
}
