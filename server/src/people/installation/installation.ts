import { sql } from 'kysely';
import type { Clock, Stop } from '../../platform/clock.ts';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';
import { StartError } from '../../platform/start-error.ts';
import { addMissingEntries, type MenuSeed } from './built-in-menu.ts';
import { initialPasswordFile, type InitialPasswordFile } from './initial-password.ts';
import { randomPassword } from './random-password.ts';

export interface InstallationParts {
  readonly db: Db;
  readonly dataDir: string;
  /** ADMIN_PASSWORD, read only when the account is made. */
  readonly adminPassword: string | null;
  readonly menu: readonly MenuSeed[];
  readonly hash: (password: string) => Promise<string>;
  /** Why a password breaks the rule, or undefined. */
  readonly refusal: (password: string, username: string) => string | undefined | Promise<string | undefined>;
}

/** What the start tells about the first account. */
export interface Installation {
  readonly username: string;
  /**
   * While the first password is still the initial one: where it stands. `elsewhere`: in the data folder of the process
   * that made it.
   */
  readonly initial: 'file' | 'ADMIN_PASSWORD' | 'elsewhere' | undefined;
  readonly file: InitialPasswordFile;
}

export const adminName = 'admin';
const adminId = 1;

/**
 * Makes the rows of a fresh installation (specified 2.13): account `admin` and role `admin` (both id 1, every menu),
 * one organisation, one work area; later versions add the menu entries that are new. Throws StartError for a bad
 * ADMIN_PASSWORD.
 */
export async function prepareInstallation(parts: InstallationParts): Promise<Installation> {
  const file = initialPasswordFile(parts.dataDir);
  await parts.db.transaction().execute(async (tx) => {
    await takeLock(tx, 'firstRows');
    const known = await tx.selectFrom('account').select('id').where('id', '=', adminId).executeTakeFirst();
    if (!known) await makeFirstRows(tx, parts, file);
    await addMissingEntries(tx, parts.menu, adminId);
  });
  const changed = await isChanged(parts.db);
  if (changed) file.remove();
  return { username: adminName, initial: changed ? undefined : standsIn(parts, file), file };
}

function standsIn(
  { adminPassword }: InstallationParts,
  file: InitialPasswordFile,
): NonNullable<Installation['initial']> {
  if (file.read() !== undefined) return 'file';
  return adminPassword === null ? 'elsewhere' : 'ADMIN_PASSWORD';
}

/** Removes the file of the first password soon after the password was changed, by whichever process. */
export function watchInitialPassword(db: Db, installation: Installation, clock: Clock): Stop {
  if (installation.initial !== 'file') return () => undefined;
  const stop = clock.every(5000, async () => {
    if (!(await isChanged(db))) return;
    installation.file.remove();
    stop();
  });
  return stop;
}

async function isChanged(db: Db): Promise<boolean> {
  const admin = await db
    .selectFrom('account')
    .select('password_changed_at')
    .where('id', '=', adminId)
    .executeTakeFirst();
  return admin?.password_changed_at != null;
}

async function makeFirstRows(tx: Transaction, parts: InstallationParts, file: InitialPasswordFile): Promise<void> {
  const password = parts.adminPassword ?? randomPassword();
  const refusal = await parts.refusal(password, adminName);
  if (refusal) throw new StartError(`ADMIN_PASSWORD=*** is not allowed: ${refusal}`);
  // Written before the account exists: after a kill in between, the next start makes both again.
  if (parts.adminPassword === null) file.write(password);
  await tx
    .insertInto('account')
    .values({
      id: adminId,
      username: adminName,
      name_key: adminName,
      family_name: '管理',
      given_name: '员',
      level: 0,
      password_hash: await parts.hash(password),
    })
    .execute();
  await tx
    .insertInto('role')
    .values({
      id: adminId,
      name: 'admin',
      name_key: 'admin',
      extent: '系统管理',
      creator_id: adminId,
      creator_name: adminName,
    })
    .execute();
  await tx.insertInto('account_role').values({ account_id: adminId, role_id: adminId }).execute();
  await tx.insertInto('organisation').values({ id: 1, name: '照明管理中心' }).execute();
  await tx.insertInto('work_area').values({ id: 1, work_code: 'A001', work_name: '默认区域' }).execute();
  for (const table of ['account', 'role', 'organisation', 'work_area'] as const) {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.table(table)}))`.execute(
      tx,
    );
  }
}
