import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { listCommands } from '../../../../../contract/light/commands.ts';
import { getLamp, getLampCurve } from '../../../../../contract/light/lamps.ts';
import { callKey, useCall, useLive } from '../../../api/index.ts';
import { useOpen } from '../../../frame/tabs/tab-context.ts';
import { ErrorState, Icon, RelativeTime, Skeleton, StateMark, useTime } from '../../../parts/index.ts';
import { durationText } from '../../../parts/charts/gaps.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { CommandHistory } from '../control/CommandHistory.tsx';
import { CommandTruth } from '../control/CommandTruth.tsx';
import type { CommandBody } from '../control/commands.ts';
import { LampControl } from '../control/LampControl.tsx';
import { LampCurve, nightSpan } from '../control/PowerCurve.tsx';
import { Readings } from '../control/Readings.tsx';
import styles from './drawer.module.css';
import { placeOf, type Lamp } from './lamp-news.ts';

/** Everything about one lamp that is asked again when the socket says that it changed. */
export function useLamp(id: number) {
  const client = useQueryClient();
  const detail = useCall(getLamp, { params: { id } }, { staleTime: 0 });
  const commands = useCall(listCommands, { query: { deviceId: id, size: 20 } }, { staleTime: 0 });
  useLive(`device:${id}`, (message) => {
    if (message.type !== 'device' && message.type !== 'stale') return;
    void detail.refetch();
    void commands.refetch();
    void client.invalidateQueries({
      queryKey: callKey(getLampCurve),
      predicate: (query) => JSON.stringify(query.queryKey).includes(`"id":${id}`),
    });
  });
  const openId = commands.data?.data.find((command) => !command.finished)?.id ?? null;
  useLive(openId === null ? null : `command:${openId}`, (message) => {
    if (message.type === 'command' || message.type === 'stale') void commands.refetch();
  });
  return { detail, commands };
}

/** The state in words: a fault by its name, a dimmed lamp with its level. */
export function LampState({ lamp }: { lamp: Lamp }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const word =
    lamp.fault !== null
      ? names.fault(lamp.fault)
      : lamp.state === 'dimmed' && lamp.level !== null
        ? t('state.dimmedTo', { level: Math.round(lamp.level) })
        : undefined;
  return <StateMark state={lamp.state} word={word} />;
}

interface LampDrawerProps {
  id: number;
  canControl: boolean;
  pending: boolean;
  onSend: (body: CommandBody) => Promise<void>;
  onClose: () => void;
}

/** One lamp beside what was clicked: who it is, what it measures, what can be asked of it and what became of that. */
export function LampDrawer({ id, canControl, pending, onSend, onClose }: LampDrawerProps) {
  const { t } = useTranslation('lamp');
  const open = useOpen();
  const { detail, commands } = useLamp(id);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && panel.current?.contains(document.activeElement)) onClose();
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [onClose]);
  const data = detail.data;
  const latest = commands.data?.data[0];
  return (
    <aside ref={panel} className={styles.drawer} aria-label={data ? data.lamp.code : t('drawer.label')}>
      <header>
        {data ? <LampHead lamp={data.lamp} /> : <h2>{t('drawer.label')}</h2>}
        <span className={styles.tools}>
          <button
            type="button"
            aria-label={t('drawer.openPage')}
            title={t('drawer.openPage')}
            onClick={() => open('lamp/device', { params: { id } })}
          >
            <Icon name="expand" size={15} />
          </button>
          <button type="button" aria-label={t('drawer.close')} title={t('drawer.close')} onClick={onClose}>
            <Icon name="close" size={16} />
          </button>
        </span>
      </header>
      <div className={styles.body}>
        {detail.error && !data ? <ErrorState error={detail.error} onRetry={detail.refetch} /> : null}
        {detail.isPending ? (
          <Section>
            <Skeleton rows={6} height={240} />
          </Section>
        ) : null}
        {data ? (
          <>
            <Section>
              <ClockNote aheadSeconds={data.clockAheadSeconds} wrongSince={data.clockWrongSince} />
              <Readings lamp={data.lamp} />
            </Section>
            <Section title={t('curve.tonight')} note={t('curve.planNote')}>
              <LampCurve
                lampId={id}
                column="power"
                span={nightSpan(data.plan.switches, new Date(data.lamp.at ?? Date.now()).getTime())}
                height={132}
                compact
              />
            </Section>
            {canControl ? (
              <Section
                title={t('control.title')}
                note={
                  data.lamp.level === null
                    ? t('control.noReport')
                    : t('control.reported', { level: Math.round(data.lamp.level) })
                }
              >
                <ManualNote lamp={data.lamp} />
                <LampControl
                  key={id}
                  lamp={data.lamp}
                  nextSwitch={nextSwitch(data.plan.switches)}
                  pending={pending}
                  onSend={onSend}
                />
              </Section>
            ) : null}
            {latest?.item ? (
              <Section>
                <CommandTruth command={latest} item={latest.item} />
              </Section>
            ) : null}
            <Section title={t('history.title')}>
              {commands.error && !commands.data ? (
                <ErrorState error={commands.error} onRetry={commands.refetch} />
              ) : null}
              {commands.data ? <CommandHistory commands={commands.data.data.slice(0, 6)} /> : <Skeleton rows={3} />}
            </Section>
          </>
        ) : null}
      </div>
      <footer>
        <Button onClick={() => open('lamp/device', { params: { id } })}>{t('drawer.openPage')}</Button>
      </footer>
    </aside>
  );
}

export function LampHead({ lamp, heading: Heading = 'h2' }: { lamp: Lamp; heading?: 'h1' | 'h2' }) {
  const { t } = useTranslation('lamp');
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <Heading>{lamp.code}</Heading>
        <LampState lamp={lamp} />
      </div>
      <p>{placeOf(lamp)}</p>
      <p className={styles.faint}>
        {lamp.controllerCode === null ? t('drawer.direct') : t('drawer.via', { code: lamp.controllerCode })} ·{' '}
        <RelativeTime at={lamp.at} />
      </p>
    </div>
  );
}

/** A manual state in force and its end. */
export function ManualNote({ lamp }: { lamp: Lamp }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  if (lamp.manual === null) return null;
  return (
    <p className={styles.manual}>
      {lamp.manual.until === null
        ? t('control.manual', { level: lamp.manual.level })
        : t('control.manualUntil', { level: lamp.manual.level, time: time(lamp.manual.until, 'dayTime') })}
    </p>
  );
}

/** Says that the clock of the lamp is wrong, since when, and what is done about it. */
export function ClockNote({ aheadSeconds, wrongSince }: { aheadSeconds: number | null; wrongSince: string | null }) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  if (aheadSeconds === null) return null;
  const by = durationText(Math.abs(aheadSeconds) * 1000, i18n.language);
  return (
    <div className={styles.manual} role="note">
      <p>{aheadSeconds > 0 ? t('clock.ahead', { by }) : t('clock.behind', { by })}</p>
      {wrongSince === null ? null : <p>{t('clock.since', { since: time(wrongSince, 'dayTime') })}</p>}
    </div>
  );
}

/** The lamp's next dusk or dawn switch. */
export function nextSwitch(switches: readonly { at: string; level: number }[], now = Date.now()): string | null {
  return switches.find((one) => new Date(one.at).getTime() > now)?.at ?? null;
}

function Section({ title, note, children }: { title?: string; note?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      {title ? (
        <div className={styles.sectionHead}>
          <h3>{title}</h3>
          {note ? <span>{note}</span> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
