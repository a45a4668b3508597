import { useRef, useState, type ReactNode } from 'react';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useOpen } from '../../../frame/tabs/tab-context.ts';
import { ErrorState, Icon, Skeleton } from '../../../parts/index.ts';
import { CommandHistory } from '../../../parts/commands/CommandHistory.tsx';
import { CommandTruth } from '../../../parts/commands/CommandTruth.tsx';
import type { CommandBody } from '../../../parts/commands/commands.ts';
import { LampControl } from '../../../parts/commands/LampControl.tsx';
import { LampCurve, nightSpan } from '../../../parts/lamp/PowerCurve.tsx';
import { NightPlan } from '../../../parts/lamp/NightPlan.tsx';
import { OwnSchedule, ScheduleLink } from '../../../parts/lamp/ScheduleLink.tsx';
import { Readings } from '../../../parts/lamp/Readings.tsx';
import { useEscape } from '../../../parts/page/use-escape.ts';
import styles from './drawer.module.css';
import { LampHead } from '../../../parts/lamp/LampHead.tsx';
import { ClockNote, ManualNote } from '../../../parts/lamp/Notes.tsx';
import { isInTrouble, Trouble } from '../../../parts/lamp/Trouble.tsx';
import { nextSwitch, useLamp } from '../../../parts/lamp/use-lamp.ts';

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
  useEscape(panel, onClose);
  const data = detail.data;
  // Decided when the lamp is opened: a live change neither folds nor unfolds what the operator has in hand.
  const [folded, setFolded] = useState<boolean | null>(null);
  if (data && folded === null) setFolded(isInTrouble(data.lamp));
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
            <Trouble lamp={data.lamp} canControl={canControl} pending={pending} onSend={onSend} />
            <Section>
              <ClockNote aheadSeconds={data.clockAheadSeconds} wrongSince={data.clockWrongSince} />
              <Readings lamp={data.lamp} />
            </Section>
            <Section title={t('curve.tonight')} note={t('curve.planNote')}>
              <LampCurve lampId={id} column="power" span={nightSpan(data.plan.night)} height={132} compact />
              <NightPlan night={data.plan.night} />
              <OwnSchedule id={id} />
            </Section>
            {canControl ? (
              <Section
                title={t('control.title')}
                // What is wrong comes first: dimming a lamp that does not light helps nobody.
                fold={folded === true}
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
        <ScheduleLink id={id} />
      </footer>
    </aside>
  );
}

interface SectionProps {
  title?: string;
  note?: string;
  /** Begins folded, behind its title. */
  fold?: boolean;
  children: ReactNode;
}

function Section({ title, note, fold = false, children }: SectionProps) {
  if (fold)
    return (
      <details className={styles.fold}>
        <summary>{title}</summary>
        <Section {...(note === undefined ? {} : { note })}>{children}</Section>
      </details>
    );
  return (
    <section className={styles.section}>
      {title || note ? (
        <div className={styles.sectionHead}>
          {title ? <h3>{title}</h3> : null}
          {note ? <span>{note}</span> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
