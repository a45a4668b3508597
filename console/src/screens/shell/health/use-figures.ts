import { useTranslation } from 'react-i18next';
import { formatBytes, useTime } from '../../../parts/index.ts';
import { duration, milliseconds, percent, whole, type Subject } from './words.ts';

/** Which numbers stand for a subject, in this order; each has a text `figure.<name>`. */
const shown = {
  database: ['databaseMs', 'size', 'connections'],
  storage: ['free'],
  broker: ['devices', 'clients'],
  ingestion: ['perMinute', 'commit', 'refused'],
  history: ['behind', 'due'],
  commands: ['queued', 'underWay', 'unanswered'],
  live: ['operators'],
  jobs: ['jobs'],
  tasks: ['waiting', 'running'],
  logs: ['unsealed'],
  processes: ['processes', 'cpu', 'memory'],
  certificate: ['certificate'],
  plans: [],
} as const satisfies Record<Subject['subject'], readonly string[]>;
type FigureName = (typeof shown)[Subject['subject']][number];

/** The numbers of a subject as texts; what is not known is left out. */
export function useFigures({ subject, figures }: Subject): { name: FigureName; text: string }[] {
  const { t, i18n } = useTranslation('health');
  const time = useTime();
  const number = (name: string): number | null => (typeof figures[name] === 'number' ? figures[name] : null);
  const as = (name: string, write: (value: number, language: string) => string): string | null => {
    const value = number(name);
    return value === null ? null : write(value, i18n.language);
  };
  // A broker of the site counts all its clients, the program among them.
  const outside = figures['kind'] === 'external';
  const pair = (one: string, of: string, write: (value: number, language: string) => string): string | null => {
    const [first, second] = [as(one, write), as(of, write)];
    return first === null || second === null ? null : t('of', { part: first, whole: second });
  };
  const texts: Record<FigureName, () => string | null> = {
    databaseMs: () => as('ms', milliseconds),
    size: () => as('bytes', formatBytes),
    connections: () => pair('used', 'allowed', whole),
    free: () => pair('freeBytes', 'totalBytes', formatBytes),
    devices: () => (outside ? null : as('connections', whole)),
    clients: () => (outside ? as('connections', whole) : null),
    perMinute: () => as('readings', whole),
    commit: () => as('commitMs', milliseconds),
    refused: () => as('refused', whole),
    behind: () => as('behindSeconds', duration),
    due: () => as('due', whole),
    queued: () => as('queued', whole),
    underWay: () => as('under', whole),
    unanswered: () => pair('unanswered', 'sent', whole),
    operators: () => as('readers', whole),
    jobs: () => as('jobs', whole),
    waiting: () => as('waiting', whole),
    running: () => as('running', whole),
    unsealed: () => as('unsealedSeconds', duration),
    processes: () => as('running', whole),
    cpu: () => as('cpuPercent', percent),
    memory: () => as('memoryBytes', formatBytes),
    certificate: () =>
      typeof figures['endsAt'] === 'string'
        ? t('certificate.until', { date: time(figures['endsAt'], 'date') })
        : t('certificate.none'),
  };
  return shown[subject].flatMap((name) => {
    const text = texts[name]();
    return text === null ? [] : [{ name, text }];
  });
}
