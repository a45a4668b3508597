import { useState, type ReactNode } from 'react';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Card, formatBytes, RelativeTime, StateMark } from '../../../parts/index.ts';
import { WideTable } from '../../../parts/lists/WideTable.tsx';
import {
  duration,
  groupName,
  jobName,
  leaseName,
  markOf,
  milliseconds,
  percent,
  reasonName,
  whole,
  type Health,
} from './words.ts';
import styles from './health.module.css';

const few = 8;

/** A card with a table that shows its first rows until somebody asks for all. */
function Table({
  title,
  heads,
  rows,
  empty,
}: {
  title: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  empty: string;
}) {
  const { t, i18n } = useTranslation('health');
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, few);
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className={styles.nothing}>{empty}</p>
      ) : (
        <div className={styles.tableBox} tabIndex={0} role="group" aria-label={title}>
          <WideTable label={title} heads={heads} rows={shown} className={styles.table} />
        </div>
      )}
      {rows.length > few ? (
        <Button className={styles.more ?? ''} type="text" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {t(all ? 'fewer' : 'all', { n: whole(rows.length, i18n.language) })}
        </Button>
      ) : null}
    </Card>
  );
}

/** Every process of the server, with what it needs and what only it does now. */
export function Processes({ health }: { health: Health }) {
  const {
    t,
    i18n: { language },
  } = useTranslation('health');
  const rows = health.processes.map((one) => ({
    key: one.id,
    cells: [
      <span key="name" className={styles.processName}>
        {one.name}
        {one.own ? <em>{t('process.own')}</em> : null}
      </span>,
      <StateMark
        key="state"
        state={one.lost ? 'alarm' : 'on'}
        word={t(one.lost ? 'process.lost' : 'process.running')}
      />,
      one.version,
      <RelativeTime key="since" at={one.startedAt} />,
      one.lost ? '—' : formatBytes(one.memoryBytes, language),
      one.lost ? '—' : percent(one.cpuPercent, language),
      one.lost ? '—' : milliseconds(one.eventLoopMs, language),
      one.lost ? '—' : whole(one.liveReaders, language),
      <RelativeTime key="seen" at={one.seenAt} />,
      one.leases.length === 0 ? (
        '—'
      ) : (
        <span key="leases" className={styles.leases}>
          {one.leases.map((name) => leaseName(t, name)).join(t('separator'))}
        </span>
      ),
    ],
  }));
  const heads = [
    'name',
    'state',
    'version',
    'started',
    'memory',
    'cpu',
    'loop',
    'operators',
    'seen',
    'leases',
  ] as const;
  return (
    <Table
      title={t('processes')}
      heads={heads.map((head) => t(`process.${head}`))}
      rows={rows}
      empty={t('processes.none')}
    />
  );
}

/** What the server does by the clock. */
export function Jobs({ health }: { health: Health }) {
  const {
    t,
    i18n: { language },
  } = useTranslation('health');
  const several = new Set(health.jobs.map(({ process }) => process)).size > 1;
  const rows = health.jobs
    .toSorted((a, b) => Number(b.error !== null) - Number(a.error !== null))
    .map((job) => ({
      key: `${job.name} ${job.process}`,
      cells: [
        <span key="name">
          {jobName(t, job.name)}
          {several ? <small className={styles.under}>{job.process}</small> : null}
        </span>,
        job.error === null ? (
          <StateMark
            key="state"
            state={job.lastAt === null ? 'unknown' : 'on'}
            word={t(job.lastAt === null ? 'job.waits' : 'job.good')}
          />
        ) : (
          <span key="state" className={styles.error}>
            <StateMark state="alarm" word={t('job.failed')} />
            <small>{job.error}</small>
          </span>
        ),
        duration(job.everySeconds, language),
        <RelativeTime key="last" at={job.lastAt} />,
        job.lastMs === null ? '—' : milliseconds(job.lastMs, language),
        <RelativeTime key="next" at={job.nextAt} />,
        whole(job.failures, language),
      ],
    }));
  const heads = ['name', 'state', 'every', 'last', 'took', 'next', 'failures'] as const;
  return (
    <Table title={t('jobs')} heads={heads.map((head) => t(`job.head.${head}`))} rows={rows} empty={t('jobs.none')} />
  );
}

/** What was turned away, by reason, each with its latest example. */
export function Refused({ health }: { health: Health }) {
  const {
    t,
    i18n: { language },
  } = useTranslation('health');
  const rows = health.refused.map((one) => ({
    key: `${one.where} ${one.reason}`,
    cells: [
      <span key="reason">
        {reasonName(t, one.where, one.reason)}
        <small className={styles.under}>{t(`where.${one.where}`)}</small>
      </span>,
      whole(one.lastMinute, language),
      whole(one.count, language),
      one.example === null ? (
        '—'
      ) : (
        <span key="example" className={styles.example}>
          <code>{one.example.topic}</code>
          {one.example.detail === null ? null : <small>{one.example.detail}</small>}
          <small>
            <RelativeTime at={one.example.at} />
          </small>
        </span>
      ),
    ],
  }));
  const heads = ['reason', 'minute', 'count', 'example'] as const;
  return (
    <Table
      title={t('refused')}
      heads={heads.map((head) => t(`refused.${head}`))}
      rows={rows}
      empty={t('refused.none')}
    />
  );
}

/** The latest changes of state. */
export function Changes({ health }: { health: Health }) {
  const { t } = useTranslation('health');
  const rows = health.changes.map((change) => ({
    key: `${change.subject} ${change.at}`,
    cells: [
      t(`subject.${change.subject}`),
      <StateMark key="state" state={markOf[change.state]} word={t(`state.${change.state}`)} />,
      <RelativeTime key="at" at={change.at} />,
    ],
  }));
  return (
    <Table
      title={t('changes')}
      heads={[t('changes.subject'), t('changes.state'), t('changes.at')]}
      rows={rows}
      empty={t('changes.none')}
    />
  );
}

/** What the database keeps, by kind. */
export function Sizes({ health }: { health: Health }) {
  const {
    t,
    i18n: { language },
  } = useTranslation('health');
  const total = health.sizes.reduce((sum, one) => sum + one.bytes, 0);
  const rows = health.sizes.map((one) => ({
    key: one.group,
    cells: [
      groupName(t, one.group),
      formatBytes(one.bytes, language),
      percent(total === 0 ? 0 : (one.bytes / total) * 100, language),
    ],
  }));
  return (
    <Table
      title={t('sizes')}
      heads={[t('sizes.group'), t('sizes.bytes'), t('sizes.share')]}
      rows={rows}
      empty={t('sizes.none')}
    />
  );
}
