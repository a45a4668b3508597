import { useState } from 'react';
import { Button, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useOpen, usePageExists, usePermission, useTab, useTabTitle } from '../../../frame/index.ts';
import { ApiError } from '../../../api/index.ts';
import {
  Card,
  Empty,
  ErrorState,
  formatNumber,
  LevelGlow,
  Page,
  PageBar,
  Skeleton,
  useTime,
} from '../../../parts/index.ts';
import { CommandHistory } from '../../../parts/commands/CommandHistory.tsx';
import { CommandTruth } from '../../../parts/commands/CommandTruth.tsx';
import { useCommands } from '../../../parts/commands/commands.ts';
import { LampControl } from '../../../parts/commands/LampControl.tsx';
import { LampCurve, voltageBand, type CurveSpan } from '../../../parts/lamp/PowerCurve.tsx';
import { NightPlan } from '../../../parts/lamp/NightPlan.tsx';
import { OwnSchedule, ScheduleLink } from '../../../parts/lamp/ScheduleLink.tsx';
import { Readings } from '../../../parts/lamp/Readings.tsx';
import { ClockNote, ManualNote } from '../../../parts/lamp/Notes.tsx';
import { LampHead } from '../../../parts/lamp/LampHead.tsx';
import { nextSwitch, useLamp } from '../../../parts/lamp/use-lamp.ts';
import styles from './device.module.css';
import { EpisodeList } from './EpisodeList.tsx';
import { RowWalk } from './RowWalk.tsx';
import { useSwipe } from './use-swipe.ts';
import { ValueTable } from './ValueTable.tsx';
import { WhyPanel } from './WhyPanel.tsx';

const spans = [6, 24, 72, 168] as const;

/** One lamp with an address of its own: what it is doing, its curves, its commands, what happened to it. */
export default function LampDevice() {
  const { t } = useTranslation('lamp');
  const { t: menu } = useTranslation('menu');
  const { id: text = '' } = useParams();
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return id === null ? (
    <Page>
      <PageBar title={menu('lamp/device')} />
      <Empty title={t('device.none')} />
    </Page>
  ) : (
    <Lamp key={id} id={id} />
  );
}

function Lamp({ id }: { id: number }) {
  const { t, i18n } = useTranslation('lamp');
  const { t: menu } = useTranslation('menu');
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const canControl = usePermission('lamp.control');
  const { detail, commands } = useLamp(id);
  const [hours, setHours] = useState<number>(24);
  // The span's end moves only with a newer reading: a curve that is asked for anew each second would never be drawn.
  const [openedAt] = useState(() => Date.now());
  const sending = useCommands(() => undefined);
  const data = detail.data;
  const { key, giveWay } = useTab();
  // One tab goes along the row: a walk would else close all other pages.
  const walk = (to: number): void => giveWay(key.replace(/\d+$/, String(to)));
  const swipe = useSwipe((way) => {
    const to = way === 'left' ? data?.row?.next : data?.row?.previous;
    if (to) walk(to.id);
  });
  useTabTitle(data?.lamp.code);
  if (detail.error && !data) {
    const missing = detail.error instanceof ApiError && detail.error.status === 404;
    return (
      <Page>
        <PageBar title={menu('lamp/device')} />
        {missing ? (
          <Empty
            title={t('device.none')}
            {...(exists('lamp/monitor') ? { action: { text: t('title'), onClick: () => open('lamp/monitor') } } : {})}
          />
        ) : (
          <ErrorState error={detail.error} onRetry={detail.refetch} />
        )}
      </Page>
    );
  }
  if (!data)
    return (
      <Page>
        <Skeleton rows={8} height={480} />
      </Page>
    );
  const { lamp } = data;
  const latest = commands.data?.data[0];
  const next = nextSwitch(data.plan.switches);
  const span = lastHours(hours, Math.max(openedAt, lamp.at === null ? 0 : new Date(lamp.at).getTime()));
  return (
    <div {...swipe}>
      <Page>
        {data.row ? <RowWalk row={data.row} onWalk={walk} /> : null}
        <header className={styles.head}>
          <span className={styles.glow} aria-hidden>
            <LevelGlow level={lamp.online ? lamp.level : null} />
          </span>
          <div>
            <LampHead lamp={lamp} heading="h1" />
          </div>
          <ScheduleLink id={id} />
          {exists('lamp/history') ? (
            <Button onClick={() => open('lamp/history', { search: `?devices=${id}` })}>{menu('lamp/history')}</Button>
          ) : null}
          {exists('lamp/monitor') ? (
            <Button onClick={() => open('lamp/monitor', { search: `?lamp=${id}` })}>{t('device.monitor')}</Button>
          ) : null}
        </header>
        <ClockNote aheadSeconds={data.clockAheadSeconds} wrongSince={data.clockWrongSince} />
        <Readings lamp={lamp} wide />
        {/* On a phone what the crew came for stands first. */}
        <div className={styles.columns}>
          <div className={styles.column}>
            <Card title={t('night.title')}>
              <NightPlan night={data.plan.night} />
              <OwnSchedule id={id} />
            </Card>
            {canControl ? (
              <Card
                title={t('control.title')}
                extra={
                  lamp.level === null ? t('control.noReport') : t('control.reported', { level: Math.round(lamp.level) })
                }
              >
                <ManualNote lamp={lamp} />
                <LampControl lamp={lamp} nextSwitch={next} pending={sending.pending} onSend={sending.sendNext} />
                {next === null ? null : (
                  <p className={styles.note}>
                    {t('device.schedule', {
                      time: time(next, 'dayTime'),
                      level: data.plan.switches.find((one) => one.at === next)?.level ?? 0,
                    })}
                  </p>
                )}
              </Card>
            ) : null}
            {latest?.item ? (
              <Card>
                <CommandTruth command={latest} item={latest.item} />
              </Card>
            ) : null}
            <WhyPanel id={id} />
            <Card title={t('device.events')}>
              <EpisodeList episodes={data.episodes} />
            </Card>
          </div>
          <div className={styles.column}>
            <Card
              title={t('device.power')}
              extra={
                <Segmented
                  size="small"
                  value={hours}
                  onChange={setHours}
                  aria-label={t('device.span')}
                  options={spans.map((value) => ({
                    value,
                    label: value < 72 ? t('device.hours', { count: value }) : t('device.days', { count: value / 24 }),
                  }))}
                />
              }
            >
              <LampCurve lampId={id} column="power" span={span} height={210} />
            </Card>
            <Card
              title={t('device.voltage')}
              extra={t('device.voltageBand', {
                low: formatNumber(voltageBand.low, i18n.language, 0),
                high: formatNumber(voltageBand.high, i18n.language, 1),
              })}
            >
              <LampCurve lampId={id} column="voltage" span={span} height={160} />
            </Card>
            <Card title={t('history.title')}>
              {commands.error && !commands.data ? (
                <ErrorState error={commands.error} onRetry={commands.refetch} />
              ) : null}
              {commands.data ? <CommandHistory commands={commands.data.data} /> : <Skeleton rows={3} />}
            </Card>
            <Card title={t('device.values')}>
              <ValueTable values={data.values} />
            </Card>
          </div>
        </div>
      </Page>
    </div>
  );
}

/** So many hours up to `end`. */
function lastHours(hours: number, end: number): CurveSpan {
  return { from: new Date(end - hours * 3_600_000).toISOString(), to: new Date(end).toISOString() };
}
