import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { CommandSummary } from '../../../../contract/light/commands.ts';
import { formatNumber, TruthLine, useTime } from '../index.ts';
import { isOpen, secondsBetween, secondsLeft, truthOf, type Item } from './commands.ts';
import styles from './control.module.css';
import { useNow } from '../time/use-now.ts';
import { useCommandWords } from './words.ts';

export type Summary = Static<typeof CommandSummary>;

/** One command to one lamp, drawn as far as it is proven, with its times and what is still waited for. */
export function CommandTruth({ command, item }: { command: Summary; item: Item }) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  const words = useCommandWords();
  const now = useNow(isOpen(item.state));
  const after = (at: string | null) => {
    const seconds = secondsBetween(item.queuedAt, at);
    return seconds === null
      ? undefined
      : t('truth.after', { seconds: formatNumber(seconds, i18n.language, seconds < 10 ? 1 : 0) });
  };
  const left = secondsLeft(item, command.limits, now);
  const waiting = left === null ? undefined : t('truth.waits', { seconds: left });
  const ended = !isOpen(item.state) && item.state !== 'confirmed';
  const failedAt = item.acknowledgedAt !== null ? 'confirmed' : item.sentAt !== null ? 'acknowledged' : 'sent';
  const notes = {
    queued: time(item.queuedAt, 'time'),
    sent: after(item.sentAt),
    acknowledged: after(item.acknowledgedAt) ?? (item.state === 'sent' ? waiting : undefined),
    confirmed: item.state === 'confirmed' ? after(item.endedAt) : item.state === 'acknowledged' ? waiting : undefined,
    ...(ended ? { [failedAt]: after(item.endedAt) } : {}),
  };
  const proof = words.proof(item);
  const sentences = [
    ...(item.tries > 1 ? [t('truth.tries', { n: item.tries })] : []),
    ...(item.state === 'confirmed' && proof !== null ? [t('truth.proved', { reading: proof })] : []),
    ...(ended && proof !== null ? [t('truth.contradicted', { reading: proof })] : []),
    ...(isOpen(item.state)
      ? [t('truth.rule', { acknowledge: command.limits.acknowledgeSeconds, confirm: command.limits.confirmSeconds })]
      : []),
    ...(item.until !== null && !ended ? [t('truth.until', { time: time(item.until, 'dayTime') })] : []),
  ];
  return (
    <div>
      <div className={styles.commandHead}>
        <h3>{words.title(command.command, command.args)}</h3>
        <span>
          {command.actorName} {time(command.createdAt, 'time')} · #{command.id}
        </span>
      </div>
      <TruthLine truth={truthOf(item)} notes={notes} reason={ended ? words.error(item.error, item.state) : undefined} />
      <p className={styles.hint}>{sentences.join(' · ')}</p>
      {command.reason === null ? null : <p className={styles.hint}>{t('truth.reason', { reason: command.reason })}</p>}
    </div>
  );
}
