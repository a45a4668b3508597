import {
  headText,
  parseHead,
  verifyLogs,
  type Finding,
  type NotedHead,
  type Verdict,
} from './people/log-seals/index.ts';
import type { Db } from './platform/db/index.ts';
import { StartError } from './platform/start-error.ts';

/** Reads the heads of a command line; throws StartError for what is none. */
export function notedHeads(texts: readonly string[]): NotedHead[] {
  return texts.map((text) => {
    const head = parseHead(text);
    if (!head)
      throw new StartError(
        `"${text.slice(0, 100)}" is no head of a log; it looks like operation_log:1234:<64 hexadecimal digits>, as verify-log prints it.`,
      );
    return head;
  });
}

/** `npm run admin -- verify-log`: a line for each log, and whether both are as they were written. */
export async function verifyLogLines(
  db: Db,
  noted: readonly NotedHead[],
): Promise<{ readonly good: boolean; readonly lines: readonly string[] }> {
  const verdicts = await verifyLogs(db, noted);
  return { good: verdicts.every(({ finding }) => finding === undefined), lines: verdicts.map(lineOf) };
}

function lineOf({ log, rows, unsealed, head, finding }: Verdict): string {
  if (finding) return `${log}: ${findingText(log, finding)}`;
  const waiting = unsealed === 0 ? '' : ` ${unsealed} more are not sealed yet.`;
  return `${log}: ${rows} sealed rows are as they were written.${waiting} Head to note: ${headText(log, head.id, head.seal)}`;
}

function findingText(log: string, { kind, id, after }: Finding): string {
  switch (kind) {
    case 'changed':
      return `row ${id} was changed after it was sealed.`;
    case 'missing':
      return id === (after ?? 0) + 1
        ? `row ${id} is missing.`
        : `row ${id} is missing, and with it everything sealed after row ${after}.`;
    case 'inserted':
      return `row ${id} was inserted: it was never sealed at its place.`;
    case 'notTheNotedHead':
      return `the chain does not lead through the noted head at row ${id}: its end was cut off, or it was written anew.`;
    case 'notedHeadPruned':
      return `row ${id} of the noted head lies before the beginning of the log; note a younger head. If it is less than 180 days old, rows were taken away.`;
    case 'noChain':
      return `the record of where the chain of ${log} begins and ends is gone.`;
  }
}
