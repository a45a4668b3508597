import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../../../catalogue/index.ts';
import { listImportRows } from '../../../../../contract/routes/imports.ts';
import { useCall } from '../../../api/index.ts';
import { Card, Empty, formatNumber, Icon } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { Alert } from './Alert.tsx';
import { Foot } from './Foot.tsx';
import { useFailedRows } from './ImportList.tsx';
import { writes, type Import, type Plan, type StepName } from './plan.ts';
import { Rows, type RowFilter } from './Rows.tsx';
import type { Steps } from './use-import.ts';
import { Words } from './Words.tsx';
import styles from './imports.module.css';

interface Props { one: Import; family: Family; steps: Steps; go: (step: StepName) => void }

/** The third step: what the look at every row found, before anything is written. */
export function CheckStep({ one, family, steps, go }: Props) {
  const { t } = useTranslation('imports');
  const again = (change: Partial<Plan>): void => steps.check({ ...one.plan, ...change });
  if (one.state !== 'checked' || one.counts === null) {
    const stopped = one.task?.state === 'cancelled';
    return (
      <>
        <Alert title={t(stopped ? 'check.stopped' : 'check.failed')}>{one.task?.error}</Alert>
        <Foot next={t('check.again')} onNext={() => again({})} pending={steps.pending} disabled={inPreview()} back={{ text: t('check.toColumns'), onClick: () => go('columns') }} />
      </>
    );
  }
  return <Looked one={one} counts={one.counts} family={family} again={again} pending={steps.pending} go={go} />;
}

type Outcome = keyof NonNullable<Import['counts']>;
const outcomes: readonly Outcome[] = ['new', 'update', 'unchanged', 'error'];

function Looked({ one, counts, family, again, pending, go }: { one: Import; counts: NonNullable<Import['counts']>; family: Family; again: (change: Partial<Plan>) => void; pending: boolean; go: (step: StepName) => void }) {
  const { t, i18n } = useTranslation('imports');
  const failed = useFailedRows();
  const [filter, setFilter] = useState<RowFilter>(counts.error > 0 ? { outcome: 'error' } : {});
  const groups = useCall(listImportRows, { params: { id: one.id }, query: { size: 1 } }, { quiet: true, staleTime: 0, keepPrevious: true }).data?.problems ?? [];
  const rowsWith = (rule: string, field?: string): number => groups.filter((group) => group.rule === rule && (field === undefined || group.field === field)).reduce((sum, group) => sum + group.rows, 0);
  const far = rowsWith('farAway');
  const noRoads = one.plan.createRoads ? 0 : rowsWith('notFound', 'roadId');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const total = outcomes.reduce((sum, key) => sum + counts[key], 0);
  const busy = pending || inPreview();
  return (
    <>
      <div className={styles.tiles} role="group" aria-label={t('check.counts', { n: number(total) })}>
        {outcomes.map((key) => (
          <button key={key} type="button" className={styles.tile} data-outcome={counts[key] > 0 ? key : undefined} aria-pressed={filter.outcome === key} onClick={() => setFilter(filter.outcome === key ? {} : { outcome: key })}>
            <span className={styles.tileNumber}>{number(counts[key])}</span><span>{t(`outcome.${key}`)}</span>
          </button>
        ))}
      </div>
      {total === 0 ? <Card><Empty title={t('check.nothing')} text={t('check.nothingText')} action={{ text: t('check.toColumns'), onClick: () => go('columns') }} /></Card> : null}
      <Words one={one} family={family} pending={busy} onCheck={(words) => again({ words })} />
      {noRoads > 0 ? <Alert kind="note" title={t('check.noRoads', { n: number(noRoads) })} action={<Button disabled={busy} onClick={() => again({ createRoads: true })}>{t('check.makeRoads')}</Button>}>{t('check.noRoadsText')}</Alert> : null}
      {far > 0 ? (
        <Alert
          kind="note" title={t('check.far', { n: number(far) })}
          action={<><Button onClick={() => setFilter({ outcome: 'error', rule: 'farAway' })}>{t('check.farShow')}</Button><Button disabled={busy} onClick={() => again({ acceptFar: true })}>{t('check.farRight')}</Button></>}
        >{t('check.farText')}</Alert>
      ) : null}
      {one.plan.acceptFar ? <Alert kind="note" title={t('check.farTaken')} action={<Button disabled={busy} onClick={() => again({ acceptFar: false })}>{t('check.farAsk')}</Button>} /> : null}
      {one.newRoads.length > 0 ? (
        <Card title={t('check.newRoads', { n: number(one.newRoads.length) })}>
          <ul className={styles.roads}>{one.newRoads.map(({ name, rows }) => <li key={name}>{name} <small className="num">{t('rows', { n: number(rows) })}</small></li>)}</ul>
        </Card>
      ) : null}
      {groups.length > 0 ? (
        <Card title={t('check.problems')} extra={<Button icon={<Icon name="download" size={14} />} onClick={() => failed(one)}>{t('failed')}</Button>}>
          <ul className={styles.groups}>
            {groups.map(({ field, rule, message, rows }) => {
              const on = filter.rule === rule && filter.field === field;
              return (
                <li key={`${field} ${rule}`}>
                  <button type="button" aria-pressed={on} onClick={() => setFilter(on ? { outcome: 'error' } : { outcome: 'error', rule, field })}><span>{message}</span><b className="num">{number(rows)}</b></button>
                </li>
              );
            })}
          </ul>
        </Card>
      ) : null}
      {total > 0 ? <Rows key={JSON.stringify([one.task?.id, filter])} one={one} family={family} filter={filter} onAll={() => setFilter({})} /> : null}
      <Foot
        next={t('check.toWrite')} onNext={() => go('write')} pending={pending} disabled={writes(one) === 0} note={writes(one) === 0 ? t('check.writesNothing') : t('check.willWrite', { n: number(writes(one)) })}
        back={{ text: t('check.toColumns'), onClick: () => go('columns') }}
      />
    </>
  );
}
