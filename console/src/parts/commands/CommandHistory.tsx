import { useTranslation } from 'react-i18next';
import { useTime } from '../index.ts';
import type { Summary } from './CommandTruth.tsx';
import { isMissed, type Item } from './commands.ts';
import styles from './control.module.css';
import { Ticks } from './Ticks.tsx';
import { useCommandWords } from './words.ts';

/** What was asked of this lamp, newest first, each with how far it got. */
export function CommandHistory({ commands }: { commands: readonly (Summary & { item?: Item })[] }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  const words = useCommandWords();
  if (commands.length === 0) return <p className={styles.none}>{t('history.none')}</p>;
  return (
    <ul className={styles.history}>
      {commands.map((command) => (
        <li key={command.id}>
          <time dateTime={command.createdAt} title={time(command.createdAt, 'dateTime')}>
            {time(command.createdAt, 'dayTime')}
          </time>
          <b>{words.title(command.command, command.args)}</b>
          <span className={styles.actor}>{command.actorName}</span>
          {command.item ? (
            <span className={styles.outcome}>
              <Ticks item={command.item} read={command.command === 'read'} />
              <small data-failed={isMissed(command.item.state) || undefined}>
                {words.outcome(command.item, command.command === 'read')}
              </small>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
