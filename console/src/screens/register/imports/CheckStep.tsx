import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../../../catalogue/index.ts';
import { exportFailedRows } from '../../../../../contract/desk/exports.ts';
import { listImportRows } from '../../../../../contract/register/imports.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { Alert, Card, Empty, formatNumber } from '../../../parts/index.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { inPreview } from '../../../session/index.ts';
import { Foot } from './Foot.tsx';
import { asks, writes, type Import, type Plan, type StepName } from './plan.ts';
import { Rows, type RowFilter } from './Rows.tsx';
import type { Steps } from './use-import.ts';
import { Words } from './Words.tsx';
import styles from './imports.module.css';

interface Props {
  one: Import;
  family: Family;
  steps: Steps;
  go: (step: StepName) => void;
}

/** The third step: what the look at every row found, before anything is written. */
export function CheckStep({ one, family, steps, go }: Props) {
  const { t } = useTranslation('imports');
  const again = (change: Partial<Plan>): void => steps.check({ ...one.plan, ...change });
  if (one.state !== 'checked' || one.counts === null) {
    const stopped = one.task?.state === 'cancelled';
    return (
      <>
        <Alert title={t(stopped ? 'check.stopped' : 'check.failed')}>{one.task?.error}</Alert>
        <Foot
          next={t('check.again')}
          onNext={() => again({})}
          pending={steps.pending}
          disabled={inPreview()}
          back={{ text: t('check.toColumns'), onClick: () => go('columns') }}
        />
      </>
    );
  }
  return <Looked one={one} counts={one.counts} family={family} again={again} pending={steps.pending} go={go} />;
}

type Counts = NonNullable<Import['counts']>;
type Outcome = keyof Counts;
type Group = ReplyOf<typeof listImportRows>['problems'][number];
const outcomes: readonly Outcome[] = ['new', 'update', 'unchanged', 'error'];

/** A number as the language writes it. */
function useNumber(): (n: number) => string {
  const { i18n } = useTranslation('imports');
  return (n) => formatNumber(n, i18n.language, 0);
}

interface LookedProps {
  one: Import;
  counts: Counts;
  family: Family;
  again: (change: Partial<Plan>) => void;
  pending: boolean;
  go: (step: StepName) => void;
}

function Looked({ one, counts, family, again, pending, go }: LookedProps) {
  const { t } = useTranslation('imports');
  const number = useNumber();
  const [filter, setFilter] = useState<RowFilter>(counts.error > 0 ? { outcome: 'error' } : {});
  const groups =
    useCall(listImportRows, { params: { id: one.id }, query: { size: 1 } }, { staleTime: 0, keepPrevious: true }).data
      ?.problems ?? [];
  const total = outcomes.reduce((sum, key) => sum + counts[key], 0);
  const busy = pending || inPreview();
  return (
    <>
      <Tiles counts={counts} total={total} filter={filter} onFilter={setFilter} />
      {total === 0 ? (
        <Card>
          <Empty
            title={t('check.nothing')}
            text={t('check.nothingText')}
            action={{ text: t('check.toColumns'), onClick: () => go('columns') }}
          />
        </Card>
      ) : null}
      <Words one={one} family={family} pending={busy} onCheck={(words) => again({ words })} />
      <Questions one={one} groups={groups} busy={busy} again={again} onShow={setFilter} />
      {one.newRoads.length > 0 ? (
        <Card title={t('check.newRoads', { n: number(one.newRoads.length) })}>
          <ul className={styles.roads}>
            {one.newRoads.map(({ name, rows }) => (
              <li key={name}>
                {name} <small className="num">{t('rows', { n: number(rows) })}</small>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {groups.length > 0 ? <Groups one={one} groups={groups} filter={filter} onFilter={setFilter} /> : null}
      {total > 0 ? (
        <Rows
          key={JSON.stringify([one.task?.id, filter])}
          one={one}
          family={family}
          filter={filter}
          onAll={() => setFilter({})}
        />
      ) : null}
      <Foot
        next={t('check.toWrite')}
        onNext={() => go('write')}
        pending={pending}
        disabled={writes(one) === 0 || asks(one)}
        note={
          asks(one)
            ? t('check.asks')
            : writes(one) === 0
              ? t('check.writesNothing')
              : t('check.willWrite', { n: number(writes(one)) })
        }
        back={{ text: t('check.toColumns'), onClick: () => go('columns') }}
      />
    </>
  );
}

/** What becomes of the rows, in four numbers; each shows its rows. */
function Tiles({
  counts,
  total,
  filter,
  onFilter,
}: {
  counts: Counts;
  total: number;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
}) {
  const { t } = useTranslation('imports');
  const number = useNumber();
  return (
    <div className={styles.tiles} role="group" aria-label={t('check.counts', { n: number(total) })}>
      {outcomes.map((key) => (
        <button
          key={key}
          type="button"
          className={styles.tile}
          data-outcome={counts[key] > 0 ? key : undefined}
          aria-pressed={filter.outcome === key}
          onClick={() => onFilter(filter.outcome === key ? {} : { outcome: key })}
        >
          <span className={styles.tileNumber}>{number(counts[key])}</span>
          <span>{t(`outcome.${key}`)}</span>
        </button>
      ))}
    </div>
  );
}

/** What only a person can answer: roads nobody registered, positions far from all others. */
function Questions({
  one,
  groups,
  busy,
  again,
  onShow,
}: {
  one: Import;
  groups: readonly Group[];
  busy: boolean;
  again: (change: Partial<Plan>) => void;
  onShow: (filter: RowFilter) => void;
}) {
  const { t } = useTranslation('imports');
  const number = useNumber();
  const rowsWith = (rule: string, field: string): number =>
    groups.filter((group) => group.rule === rule && group.field === field).reduce((sum, group) => sum + group.rows, 0);
  const far = rowsWith('farAway', 'longitude');
  const noRoads = one.plan.createRoads ? 0 : rowsWith('notFound', 'roadId');
  return (
    <>
      <PlaceQuestions one={one} busy={busy} again={again} />
      {noRoads > 0 ? (
        <Alert
          kind="note"
          title={t('check.noRoads', { n: number(noRoads) })}
          action={
            <Button disabled={busy} onClick={() => again({ createRoads: true })}>
              {t('check.makeRoads')}
            </Button>
          }
        >
          {t('check.noRoadsText')}
        </Alert>
      ) : null}
      {far > 0 ? (
        <Alert
          kind="note"
          title={t('check.far', { n: number(far) })}
          action={
            <>
              <Button onClick={() => onShow({ outcome: 'error', rule: 'farAway' })}>{t('check.farShow')}</Button>
              <Button disabled={busy} onClick={() => again({ acceptFar: true })}>
                {t('check.farRight')}
              </Button>
            </>
          }
        >
          {t('check.farText')}
        </Alert>
      ) : null}
      {one.plan.acceptFar ? (
        <Alert
          kind="note"
          title={t('check.farTaken')}
          action={
            <Button disabled={busy} onClick={() => again({ acceptFar: false })}>
              {t('check.farAsk')}
            </Button>
          }
        />
      ) : null}
    </>
  );
}

/** Where the file as a whole lies, when that is doubtful. */
function PlaceQuestions({ one, busy, again }: { one: Import; busy: boolean; again: (change: Partial<Plan>) => void }) {
  const { t } = useTranslation('imports');
  const number = useNumber();
  if (one.questions.length === 0) return null;
  if (!asks(one))
    return (
      <Alert
        kind="note"
        title={t('check.placeTaken')}
        action={
          <Button disabled={busy} onClick={() => again({ acceptPlace: false })}>
            {t('check.placeAsk')}
          </Button>
        }
      />
    );
  return (
    <Alert
      title={t('check.place')}
      action={
        <Button disabled={busy} onClick={() => again({ acceptPlace: true })}>
          {t('check.placeRight')}
        </Button>
      }
    >
      {one.questions.map(({ kind, rows, km }) => (
        <p key={kind} className={styles.what}>
          {kind === 'outsideSystem'
            ? t('place.outsideSystem', { system: one.plan.system, n: number(rows) })
            : t('place.farFromRegister', { km: number(km ?? 0) })}
        </p>
      ))}
    </Alert>
  );
}

/** The problems that were found, most frequent first; each shows its rows. */
function Groups({
  one,
  groups,
  filter,
  onFilter,
}: {
  one: Import;
  groups: readonly Group[];
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
}) {
  const { t } = useTranslation('imports');
  const number = useNumber();
  return (
    <Card
      title={t('check.problems')}
      extra={<ExportButton call={exportFailedRows} body={{ importId: one.id }} text={t('failed')} />}
    >
      <ul className={styles.groups}>
        {groups.map(({ field, rule, message, rows }) => {
          const on = filter.rule === rule && filter.field === field;
          return (
            <li key={`${field} ${rule}`}>
              <button
                type="button"
                aria-pressed={on}
                onClick={() => onFilter(on ? { outcome: 'error' } : { outcome: 'error', rule, field })}
              >
                <span>{message}</span>
                <b className="num">{number(rows)}</b>
              </button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
