import type pg from 'pg';
import { exampleScheme } from '../catalogue/lighting/plan/examples.ts';
import type { SchemeContent } from '../catalogue/lighting/plan/scheme.ts';
import { registerSigned } from './devices-signed.ts';

/** What lamps of the bench followed first, and the version after it: another level from their on-time on. */
const plannedVersions = [1, 2] as const;

const contentOf = (version: number): SchemeContent => {
  const { programmes, ...rest } = exampleScheme(version === 1 ? 60 : 50);
  return {
    ...rest,
    programmes: programmes.map(({ programme, ...named }) => ({
      ...named,
      programme: {
        ...programme,
        periods: programme.periods.map((period, index) =>
          index === 0 ? { ...period, level: version === 1 ? 100 : 90 } : period,
        ),
      },
    })),
  };
};

/**
 * Lamps of a city of 400 places of the sun, with credentials and calendars of their own, that have followed the first of
 * two versions of a scheme since the beginning of the year.
 */
export async function registerPlanned(database: pg.Client, first: number, count: number): Promise<void> {
  await registerSigned(database, first, count);
  const last = first + count - 1;
  await database.query(
    `UPDATE work_area SET time_zone = 'Asia/Shanghai', latitude = 30.2, longitude = 120.2 WHERE id = 900`,
  );
  await database.query(
    `UPDATE device SET latitude = 30.1 + 0.01 * (id % 20), longitude = 120.1 + 0.01 * (id / 20 % 20),
      props = '{"manufacturer": "M", "model": "A"}' WHERE id BETWEEN $1 AND $2`,
    [first, last],
  );
  await database.query(`INSERT INTO scheme (id, code, name) VALUES (900, 'BENCH', 'bench') ON CONFLICT DO NOTHING`);
  for (const version of plannedVersions)
    await database.query(
      `INSERT INTO scheme_version (id, scheme_id, number, content, content_hash, created_by, created_at)
        VALUES ($1, 900, $2, $3, $4, 'bench', now()) ON CONFLICT DO NOTHING`,
      [900 + version, version, JSON.stringify(contentOf(version)), String(version).repeat(16)],
    );
  await database.query(
    `INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT i, 901, '2026-01-01', 'bench', now() FROM generate_series($1::bigint, $2::bigint) i`,
    [first, last],
  );
  await database.query(
    `INSERT INTO plan_report (device_id, capabilities)
      SELECT i, '{"plan": {"periods": 6, "calendar": true, "cycle": true}}'
      FROM generate_series($1::bigint, $2::bigint) i`,
    [first, last],
  );
  await database.query('VACUUM ANALYZE device, plan_assignment, plan_report, device_credential');
}
