import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import { askedScheme, askedTemplate, asking } from '../plans/index.ts';

/** Hashes of what lamps followed before, and follow after it. */
interface VersionStep {
  readonly lamps: number;
  readonly scheme: readonly [before: string | null, after: string | null];
  readonly template: readonly [before: string | null, after: string | null];
}
/** What a publication changes, as the operation log keeps it. */
export interface PublicationChange {
  readonly id: number;
  readonly phase: string;
  readonly lamps: number;
  /** Lamps by state. */
  readonly states: Readonly<Record<string, number>>;
  /** Follow another version after it. */
  readonly changed: number;
  readonly darker: number;
  /** From which versions lamps go to which, the most lamps first, and how many such steps there are. */
  readonly versions: readonly VersionStep[];
  readonly steps: number;
}

/** Steps that a row of the log has room for. */
const mostSteps = 5;
const hashOf = (table: string, column: string) =>
  sql`(SELECT left(v.content_hash, 12) FROM ${sql.table(table)} v WHERE v.id = s.${sql.ref(column)})`;

/** A return leads its lamps to what they followed before the publication that it takes back. */
export async function findChange(tx: Transaction, id: number): Promise<PublicationChange | undefined> {
  const { rows } = await sql<PublicationChange>`WITH item AS (
      SELECT i.state, i.before_scheme_version_id AS scheme_before, i.before_template_version_id AS template_before,
        ${askedScheme} AS scheme_after, ${askedTemplate} AS template_after
      FROM publication_item i ${asking} WHERE i.publication_id = ${id}),
    step AS (SELECT count(*)::int AS lamps, scheme_before, scheme_after, template_before, template_after
      FROM item WHERE state <> 'cannot' GROUP BY 2, 3, 4, 5),
    named AS (SELECT lamps, json_build_object('lamps', lamps,
        'scheme', json_build_array(${hashOf('scheme_version', 'scheme_before')}, ${hashOf('scheme_version', 'scheme_after')}),
        'template', json_build_array(${hashOf('template_version', 'template_before')},
          ${hashOf('template_version', 'template_after')})) AS step
      FROM (SELECT * FROM step ORDER BY lamps DESC, scheme_before LIMIT ${mostSteps}) s)
    SELECT p.id, p.phase, p.total AS lamps,
      (SELECT json_object_agg(state, n) FROM (SELECT state, count(*) AS n FROM item GROUP BY state) s) AS states,
      (SELECT coalesce(sum(lamps), 0)::int FROM step WHERE scheme_before IS DISTINCT FROM scheme_after
        OR template_before IS DISTINCT FROM template_after) AS changed,
      p.darkens AS darker, (SELECT coalesce(json_agg(step ORDER BY lamps DESC), '[]') FROM named) AS versions,
      (SELECT count(*)::int FROM step) AS steps
    FROM publication p WHERE p.id = ${id}`.execute(tx);
  return rows[0];
}
