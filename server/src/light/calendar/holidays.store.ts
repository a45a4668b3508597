import { sql } from 'kysely';
import type { TableClass, YearState } from '../../../../catalogue/lighting/plan/calendar.ts';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';

export interface StoredDay {
  readonly day: string;
  readonly class: TableClass;
  readonly name: string;
}
export interface StoredYear {
  readonly country: string;
  readonly year: number;
  readonly state: YearState;
  readonly source: string;
  readonly days: readonly StoredDay[];
}

/** One change of holidays at a time. */
export const lockHolidays = (tx: Transaction) => takeLock(tx, 'holidays');

/** Years with their source, without their days. */
export async function findSources(
  tx: Transaction,
): Promise<{ country: string; year: number; source: string; builtIn: boolean }[]> {
  const { rows } = await sql<{
    country: string;
    year: number;
    source: string;
    builtIn: boolean;
  }>`SELECT country, year, source, built_in AS "builtIn" FROM holiday_year`.execute(tx);
  return rows;
}

/** Replaces these years and their days. */
export async function putYears(
  tx: Transaction,
  years: readonly StoredYear[],
  { builtIn, at }: { readonly builtIn: boolean; readonly at: Date },
): Promise<void> {
  const heads = JSON.stringify(years.map(({ country, year, state, source }) => ({ country, year, state, source })));
  const days = JSON.stringify(years.flatMap(({ country, days: own }) => own.map((one) => ({ ...one, country }))));
  await sql`INSERT INTO holiday_year (country, year, state, source, imported_at, built_in)
    SELECT x.country, x.year, x.state, x.source, ${at}, ${builtIn}
      FROM jsonb_to_recordset(${heads}::jsonb) AS x(country text, year int, state text, source text)
    ON CONFLICT (country, year) DO UPDATE SET state = excluded.state, source = excluded.source,
      imported_at = excluded.imported_at, built_in = excluded.built_in`.execute(tx);
  await sql`DELETE FROM holiday h USING jsonb_to_recordset(${heads}::jsonb) AS x(country text, year int)
    WHERE h.country = x.country AND h.day >= make_date(x.year, 1, 1) AND h.day <= make_date(x.year, 12, 31)`.execute(
    tx,
  );
  await sql`INSERT INTO holiday (country, day, class, name) SELECT x.country, x.day, x.class, x.name
    FROM jsonb_to_recordset(${days}::jsonb) AS x(country text, day date, class text, name text)`.execute(tx);
}

/** Years of a country that are known in some way, from one to another. */
export async function findYears(
  db: Db | Transaction,
  country: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ year: number; state: YearState; source: string; importedAt: Date }[]> {
  const { rows } = await sql<{
    year: number;
    state: YearState;
    source: string;
    importedAt: Date;
  }>`SELECT year, state, source, imported_at AS "importedAt" FROM holiday_year
    WHERE country = ${country} AND year BETWEEN ${from} AND ${to} ORDER BY year`.execute(db);
  return rows;
}

/** Days of a country from the first of one year to the last of another, in their order. */
export async function findDays(
  db: Db | Transaction,
  country: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`SELECT to_char(day, 'YYYY-MM-DD') AS day, class, name FROM holiday
    WHERE country = ${country} AND day BETWEEN make_date(${from}, 1, 1) AND make_date(${to}, 12, 31)
    ORDER BY day, class`.execute(db);
  return rows;
}

/** The time zone of a work area; undefined: there is none of this id. */
export async function findZone(db: Db, workAreaId: number): Promise<string | undefined> {
  const { rows } = await sql<{
    timeZone: string;
  }>`SELECT time_zone AS "timeZone" FROM work_area WHERE id = ${workAreaId}`.execute(db);
  return rows[0]?.timeZone;
}

/** Every time zone of a work area. */
export async function findZones(db: Db): Promise<string[]> {
  const { rows } = await sql<{ timeZone: string }>`SELECT DISTINCT time_zone AS "timeZone" FROM work_area`.execute(db);
  return rows.map(({ timeZone }) => timeZone);
}
