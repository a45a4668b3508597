import { Button, Pagination } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listFindingLamps, type getSimulation } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, Empty, ErrorState, Icon, Skeleton, formatNumber } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import styles from './simulation.module.css';

type Finding = NonNullable<ReplyOf<typeof getSimulation>['result']>['findings'][number];

const pageSize = 20;

/** What was found in the nights of both plans: what blocks a publication first, each with its lamps. */
export function YearFindings({ id, findings }: { id: number; findings: readonly Finding[] }) {
  const { t } = useTranslation('scheme');
  const [open, setOpen] = useState<number | null>(null);
  const [side, setSide] = useState<'a' | 'b'>('b');
  const shown = findings.filter((one) => one.side === side);
  const other = findings.length - shown.length;
  return (
    <Card
      title={t('sim.findings.title')}
      extra={
        <Button size="small" disabled={other === 0 && side === 'b'} onClick={() => setSide(side === 'b' ? 'a' : 'b')}>
          {t('sim.findings.other', { side: side === 'b' ? 'A' : 'B', n: other })}
        </Button>
      }
    >
      {shown.length === 0 ? (
        <Empty title={t('sim.findings.none', { side: side.toUpperCase() })} />
      ) : (
        <ul className={styles.findings}>
          {shown.map((finding) => (
            <li key={finding.place} data-severity={finding.severity}>
              <Line
                finding={finding}
                isOpen={open === finding.place}
                onOpen={() => setOpen(open === finding.place ? null : finding.place)}
              />
              {open === finding.place ? <LampsOf key={finding.place} id={id} place={finding.place} /> : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface LineProps {
  finding: Finding;
  isOpen: boolean;
  onOpen: () => void;
}

function Line({ finding, isOpen, onOpen }: LineProps) {
  const { t, i18n } = useTranslation('scheme');
  const names = useNames();
  const days = useDayNames();
  const number = (value: number): string => formatNumber(value, i18n.language, 0);
  const { severity, code, plan, programme, period, roadClass, nights, of, hours, first, lamps } = finding;
  const about = [
    plan,
    programme,
    period === null ? null : t('sim.findings.period', { n: period + 1 }),
    roadClass === null ? null : names.option('roadClass', roadClass),
    nights === 0
      ? null
      : of === null || of === nights
        ? t('sim.findings.nights', { n: number(nights) })
        : t('sim.findings.nightsOf', { n: number(nights), of: number(of) }),
    hours === null ? null : t('sim.findings.hours', { n: number(hours) }),
    nights === 0 ? null : t('sim.findings.first', { day: days.day(first) }),
  ].filter((part) => part !== null);
  return (
    <div className={styles.finding}>
      <Icon name={severity === 'note' ? 'flag' : 'warning'} size={16} />
      <span className={styles.severity}>{names.option('findingSeverity', severity)}</span>
      <span>
        <b>{names.option('planFinding', code)}</b>
        <small>{about.join(' · ')}</small>
      </span>
      <Button size="small" aria-expanded={isOpen} onClick={onOpen}>
        {t('sim.findings.lamps', { n: number(lamps) })}
      </Button>
    </div>
  );
}

function LampsOf({ id, place }: { id: number; place: number }) {
  const { t } = useTranslation('scheme');
  const open = useOpen();
  const exists = usePageExists();
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useCall(
    listFindingLamps,
    { params: { id, place }, query: { page, size: pageSize } },
    { keepPrevious: true },
  );
  if (!data)
    return error ? <ErrorState title={t('sim.lamps.failed')} error={error} onRetry={refetch} /> : <Skeleton rows={3} />;
  return (
    <div className={styles.lamps}>
      <ul>
        {data.data.map((lamp) => (
          <li key={lamp.id}>
            {exists('lamp/device') ? (
              <Button type="link" size="small" onClick={() => open('lamp/device', { params: { id: lamp.id } })}>
                {lamp.code}
              </Button>
            ) : (
              <span className="code">{lamp.code}</span>
            )}
            <small>{[lamp.name, lamp.roadName].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </ul>
      {data.recordsTotal > pageSize ? (
        <Pagination
          size="small"
          current={page + 1}
          pageSize={pageSize}
          total={data.recordsTotal}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      ) : null}
    </div>
  );
}
