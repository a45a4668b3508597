import { Button, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportConnections } from '../../../../../contract/desk/exports.ts';
import { connectionKinds } from '../../../../../contract/episodes.ts';
import { getDeviceAvailability, listDeviceConnections } from '../../../../../contract/wires/connections.ts';
import { useCall, useLive, useSoon } from '../../../api/index.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { Days, Legend, Strip } from '../../../parts/connections/Strip.tsx';
import { useConnectionWords, type Entry } from '../../../parts/connections/words.ts';
import { EpisodeText } from '../../../parts/episodes/Lasted.tsx';
import { markOf, useEpisodeWords } from '../../../parts/episodes/words.ts';
import { Card, Empty, ErrorState, Skeleton, StateShape } from '../../../parts/index.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import styles from './connections.module.css';

const spans = [1, 7, 30, 90] as const;
type Span = (typeof spans)[number];
const dayMs = 86_400_000;
const minuteMs = 60_000;
const PAGE = 10;
const SOON_MS = 2000;

/** The span up to this minute: asked once a minute, not at every drawing. */
function spanTo(days: Span): { readonly from: string; readonly to: string } {
  const to = Math.ceil(Date.now() / minuteMs) * minuteMs;
  return { from: new Date(to - days * dayMs).toISOString(), to: new Date(to).toISOString() };
}

/** How a device was connected: the share of the time, when it was not, and every line of its log with the reason. */
export function Connections({ id }: { id: number }) {
  const { t } = useTranslation('connections');
  const [days, setDays] = useState<Span>(7);
  return (
    <Card
      title={t('device.title')}
      extra={
        <Segmented<Span>
          size="small"
          aria-label={t('device.span')}
          value={days}
          onChange={setDays}
          options={spans.map((value) => ({ value, label: t(`device.span.${value}`) }))}
        />
      }
    >
      <div className={styles.body}>
        <Availability key={days} id={id} days={days} />
        <Log id={id} />
      </div>
    </Card>
  );
}

function Availability({ id, days }: { id: number; days: Span }) {
  const { t } = useTranslation('connections');
  const words = useConnectionWords();
  const [span, setSpan] = useState(() => spanTo(days));
  const asked = useCall(getDeviceAvailability, { params: { id }, query: span }, { keepPrevious: true, staleTime: 0 });
  const soon = useSoon(() => setSpan(spanTo(days)));
  useLive(`device:${id}`, () => soon(30_000));
  const { data: told, error, refetch } = asked;
  if (error && !told) return <ErrorState error={error} onRetry={refetch} />;
  if (!told) return <Skeleton rows={2} height={96} />;
  const outages = told.outages.filter(({ kind }) => kind === 'offline').length;
  return (
    <>
      <div className={styles.rate}>
        <dl>
          <dt>{t('device.rate')}</dt>
          <dd title={t('span.formula')}>{words.rate(told.span) ?? t('device.noRate')}</dd>
        </dl>
        <p>{t('device.outages', { n: String(outages), time: words.length(told.span.offline) })}</p>
      </div>
      <Strip told={told} outages={outages} />
      <Legend told={told} />
      {days === 1 ? null : <Days days={told.days} />}
    </>
  );
}

/** The log of the device, newest first; further lines on request. */
function Log({ id }: { id: number }) {
  const { t } = useTranslation('connections');
  const words = useEpisodeWords();
  const [kind, setKind] = useState<Entry['kind'] | ''>('');
  const [pages, setPages] = useState(1);
  const list = useCall(
    listDeviceConnections,
    { params: { id }, query: { size: Math.min(100, PAGE * pages), ...(kind === '' ? {} : { kind }) } },
    { keepPrevious: true, staleTime: 0 },
  );
  const soon = useSoon(() => void list.refetch());
  useLive(`device:${id}`, () => soon(SOON_MS));
  const open = useOpen();
  const logPage = usePageExists()('asset/connections');
  const { data, error, refetch } = list;
  const shown = data?.data ?? [];
  return (
    <>
      <div className={styles.bar}>
        <Select<Entry['kind'] | ''>
          size="small"
          aria-label={t('filter.kind')}
          value={kind}
          onChange={setKind}
          popupMatchSelectWidth={false}
          options={[
            { value: '', label: t('device.all') },
            ...connectionKinds.map((value) => ({ value, label: words.kind(value) })),
          ]}
        />
        <ExportButton
          call={exportConnections}
          body={{ deviceId: id, ...(kind === '' ? {} : { kind }) }}
          text={t('export')}
          empty={!data?.recordsTotal}
        />
        {logPage ? (
          <Button type="link" onClick={() => open('asset/connections', { search: `?deviceId=${id}` })}>
            {t('device.log')}
          </Button>
        ) : null}
      </div>
      {error && !data ? <ErrorState error={error} onRetry={refetch} /> : null}
      {!data && !error ? <Skeleton rows={4} /> : null}
      {data && shown.length === 0 ? <Empty title={t('device.none')} /> : null}
      <ol className={styles.log}>
        {shown.map((row) => (
          <Line key={row.id} row={row} />
        ))}
      </ol>
      {data && shown.length < data.recordsTotal && shown.length < 100 ? (
        <Button onClick={() => setPages((count) => count + 1)}>{t('device.older')}</Button>
      ) : null}
    </>
  );
}

function Line({ row }: { row: Entry }) {
  return (
    <li>
      <span className={styles.mark}>
        <StateShape state={markOf(row)} />
      </span>
      <div className={styles.what}>
        <EpisodeText of={{ ...row, fault: null }} />
      </div>
    </li>
  );
}
