import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import pg from 'pg';
import { startEmbedded } from '../server/src/platform/db/embedded.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { createLog } from '../server/src/platform/log.ts';
import { familyPages } from './generate-families.ts';
import { commonPasswords } from './generate/common-passwords.ts';
import { holidays } from './generate/holidays.ts';
import { completeLockFile } from './generate/lock-file.ts';
import { lunarYears } from './generate/lunar-years.ts';
import { menuTexts } from './generate/menu-texts.ts';
import { screenAreas } from './generate/screen-areas.ts';
import { tablesModule } from './generate/tables.ts';
import { consoleAreas, textModules } from './generate/texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every generated file by its path in the checkout, in the form that the formatter gives it. */
async function generated(): Promise<Map<string, string>> {
  const options = JSON.parse(current('.oxfmtrc.json') ?? '{}') as Record<string, unknown>;
  const written = new Map([
    ['server/src/platform/db/tables.ts', await withDatabase(tablesModule)],
    ['package-lock.json', completeLockFile(current('package-lock.json') ?? '')],
    ['console/src/screens/areas.ts', screenAreas()],
    ['console/src/locales/areas.ts', consoleAreas()],
    ['server/src/people/accounts/common-passwords.txt', commonPasswords()],
    ['server/src/light/calendar/lunar-years.txt', lunarYears()],
    ['server/src/light/calendar/holidays.txt', holidays()],
    ...familyPages(),
    ...textModules(),
    ...menuTexts(),
  ]);
  for (const [path, text] of written) if (path.endsWith('.ts')) written.set(path, await formatted(path, text, options));
  return written;
}

async function formatted(path: string, text: string, options: Record<string, unknown>): Promise<string> {
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}

/** Runs `work` on an empty, migrated database of its own. */
async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-generate-'));
  const database = await startEmbedded({
    dataDir,
    role: 'npm run generate',
    log: createLog('error'),
    settings: ['fsync=off'],
  });
  const client = new pg.Client(database.connection);
  try {
    await client.connect();
    await migrate(client);
    return await work(client);
  } finally {
    await client.end();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

const checkOnly = process.argv.includes('--check');
const stale = [...(await generated())].filter(([path, text]) => current(path) !== text);
for (const [path, text] of stale) {
  if (checkOnly) {
    process.stdout.write(`${path} is stale: npm run generate writes it.\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`wrote ${path}\n`);
  }
}
