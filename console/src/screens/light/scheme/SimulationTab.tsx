import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportSimulation } from '../../../../../contract/desk/exports.ts';
import { cancelTask, listTasks } from '../../../../../contract/desk/tasks.ts';
import { getSimulation, simulatePlans } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useCall, useLive, useSend } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { Alert, Card, Empty, ErrorState, Refusal, Skeleton, formatNumber } from '../../../parts/index.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { isOpen } from '../../../parts/tasks/index.ts';
import { inPreview } from '../../../session/index.ts';
import { HeatMap } from './HeatMap.tsx';
import { bytesOf } from './heat.ts';
import { MonthTable } from './MonthTable.tsx';
import { SimulationForm, bodyOf } from './SimulationForm.tsx';
import { TestNights } from './TestNights.tsx';
import type { OwnSimulation } from './use-simulation.ts';
import { YearFindings } from './YearFindings.tsx';
import styles from './simulation.module.css';

type Simulation = ReplyOf<typeof getSimulation>;

interface Props {
  schemeId: number;
  simulation: OwnSimulation;
  hasDraft: boolean;
  /** What is edited is not stored yet. */
  unsaved: boolean;
}

/** Where the live line is down, what is under way is still asked about. */
const askEveryMs = 3000;

/** What the scheme would do to lamps over a year, beside what they do now or another version. */
export function SimulationTab({ schemeId, simulation, hasDraft, unsaved }: Props) {
  const { t } = useTranslation('scheme');
  const { id: shown, choice } = simulation;
  const mayPublish = usePermission('plan.publish');
  const begin = useSend(simulatePlans, [listTasks], { quiet: true });
  const problems = begin.error instanceof ApiError ? begin.error.fieldErrors : {};
  const start = (): void => {
    begin.mutate({ body: bodyOf(schemeId, choice) }, { onSuccess: ({ id }: Simulation) => simulation.show(id) });
  };
  return (
    <div className={styles.tab}>
      {unsaved ? <Alert kind="note" title={t('sim.unsaved')} /> : null}
      <SimulationForm
        {...{ schemeId, hasDraft, choice, problems }}
        busy={begin.isPending}
        onChange={simulation.change}
        onBegin={start}
      />
      {begin.error ? <Refusal error={begin.error} /> : null}
      {simulation.isOfDraft && mayPublish ? <Alert kind="note" title={t('sim.publishDraft')} /> : null}
      {shown === null ? null : <Shown key={shown} id={shown} />}
    </div>
  );
}

function Shown({ id }: { id: number }) {
  const { t } = useTranslation('scheme');
  const [isWorking, setWorking] = useState(true);
  const { data, error, refetch } = useCall(
    getSimulation,
    { params: { id } },
    { staleTime: 0, ...(isWorking ? { every: askEveryMs } : {}) },
  );
  // One that is gone, or of somebody else, is not asked for again.
  const isGone = error instanceof ApiError && error.status === 404;
  if (isGone && isWorking) setWorking(false);
  const task = data?.task ?? null;
  const busy = data?.result === null && task !== null && isOpen(task);
  if (data && isWorking !== busy) setWorking(busy);
  useLive(busy ? 'tasks' : null, (message) => {
    if (message.type !== 'task' || message.id === task?.id) void refetch();
  });
  if (!data)
    return (
      <Card>
        {isGone ? (
          <Empty title={t('sim.gone')} text={t('sim.goneText')} />
        ) : error ? (
          <ErrorState title={t('sim.failed')} error={error} onRetry={refetch} />
        ) : (
          <Skeleton rows={8} height={320} />
        )}
      </Card>
    );
  if (data.result !== null) return <Result simulation={data} result={data.result} />;
  if (task !== null && busy) return <AtWork task={task} />;
  return <Alert title={t('sim.ended')}>{task?.error ?? t('sim.cancelled')}</Alert>;
}

function AtWork({ task }: { task: NonNullable<Simulation['task']> }) {
  const { t, i18n } = useTranslation('scheme');
  const cancel = useSend(cancelTask, [listTasks]);
  const share = task.total === null || task.total === 0 ? 0 : Math.min(100, Math.floor((task.done / task.total) * 100));
  const text =
    task.state === 'queued'
      ? t('sim.queued')
      : t('sim.running', { percent: share, n: formatNumber(task.total ?? 0, i18n.language, 0) });
  return (
    <Card>
      <div className={styles.work}>
        <span role="status">{text}</span>
        <Button
          size="small"
          disabled={inPreview() || cancel.isPending}
          onClick={() => cancel.mutate({ params: { id: task.id } })}
        >
          {t('sim.stop')}
        </Button>
        <progress value={share} max={100} aria-label={t('sim.title')} />
      </div>
    </Card>
  );
}

function Result({ simulation, result }: { simulation: Simulation; result: NonNullable<Simulation['result']> }) {
  const { t, i18n } = useTranslation('scheme');
  const { a: textA, b: textB } = result.levels;
  const levels = useMemo(() => ({ a: bytesOf(textA), b: bytesOf(textB) }), [textA, textB]);
  const number = (value: number): string => formatNumber(value, i18n.language, 0);
  const { total, lamps, days, withoutPlace } = result;
  const named = (side: Simulation['a']): string =>
    side === null
      ? t('sim.current')
      : `${side.code} ${side.number === null ? t('sim.draft') : t('sim.version', { n: side.number })}`;
  const saved = total.a.kwh - total.b.kwh;
  const share = total.a.kwh > 0 ? formatNumber(Math.abs((100 * saved) / total.a.kwh), i18n.language, 1) : '0';
  return (
    <>
      <Card
        title={t('sim.result')}
        extra={<ExportButton call={exportSimulation} body={{ simulationId: simulation.id }} text={t('sim.export')} />}
      >
        <p className={styles.sum} role="status">
          {t(saved >= 0 ? 'sim.saves' : 'sim.takes', { kwh: number(Math.abs(saved)), percent: share })}
        </p>
        <p className={styles.note}>
          {t('sim.about', {
            a: named(simulation.a),
            b: named(simulation.b),
            lamps: number(lamps),
            nights: number(days),
            from: simulation.from,
            to: simulation.to,
          })}
        </p>
        {withoutPlace > 0 ? <p className={styles.note}>{t('sim.withoutPlace', { n: number(withoutPlace) })}</p> : null}
      </Card>
      <YearFindings id={simulation.id} findings={result.findings} />
      <HeatMap levels={levels} from={simulation.from} days={days} />
      <MonthTable result={result} levels={levels} from={simulation.from} />
      <TestNights nights={result.testNights} />
    </>
  );
}
