import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { StartError, reasonOf } from '../../platform/start-error.ts';

const least = 12;

export interface PassphraseSources {
  /** BACKUP_PASSPHRASE. */
  readonly text?: string | undefined;
  /** BACKUP_PASSPHRASE_FILE. */
  readonly file?: string | undefined;
}

/**
 * The passphrase of an archive: from the environment, a file, or whoever sits at the terminal, who types a new one
 * twice. Throws StartError; `signal` ends the asking.
 */
export async function readPassphrase(
  { text, file }: PassphraseSources,
  isNew: boolean,
  signal: AbortSignal,
): Promise<string> {
  const found = text || (file ? fromFile(file) : await fromTerminal(isNew, signal));
  if (isNew && found.length < least) throw new StartError(`A passphrase has at least ${least} characters.`);
  return found;
}

function fromFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (thrown) {
    throw new StartError(`BACKUP_PASSPHRASE_FILE ${file} cannot be read: ${reasonOf(thrown)}`);
  }
}

async function fromTerminal(isNew: boolean, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY)
    throw new StartError(
      'The passphrase is missing: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or run this in a terminal.',
    );
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // The terminal sends no signal meanwhile: its keys come here.
  lines.on('SIGINT', () => void process.kill(process.pid, 'SIGINT'));
  const ask = async (question: string) => {
    process.stderr.write(question);
    const answer = await lines.question('', { signal });
    process.stderr.write('\n');
    return answer;
  };
  try {
    const first = await ask('Passphrase: ');
    if (isNew && (await ask('Once more: ')) !== first) throw new StartError('The two are not the same.');
    return first;
  } catch (thrown) {
    throw signal.aborted ? new StartError('No passphrase, nothing done.') : thrown;
  } finally {
    lines.close();
  }
}
