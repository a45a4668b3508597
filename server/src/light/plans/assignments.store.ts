import { sql } from 'kysely';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Transaction } from '../../platform/db/index.ts';

interface Assigned {
  readonly deviceIds: readonly number[];
  /** Both null: from that day on the lamps follow no plan, as before they were given one. */
  readonly schemeVersionIds: readonly (number | null)[];
  readonly templateVersionIds: readonly (number | null)[];
  readonly fromDay: Day;
  readonly publicationId: number | null;
  readonly by: string;
  readonly at: Date;
}

/** Gives lamps what they follow from a lighting day on, each its own. What they followed before stays as it was. */
export async function assign(tx: Transaction, assigned: Assigned): Promise<void> {
  if (assigned.deviceIds.length === 0) return;
  await sql`INSERT INTO plan_assignment
      (device_id, scheme_version_id, template_version_id, from_day, publication_id, assigned_by, at)
    SELECT a.id, a.scheme, a.template, ${assigned.fromDay}::date, ${assigned.publicationId}, ${assigned.by},
      ${assigned.at}
    FROM unnest(${[...assigned.deviceIds]}::bigint[], ${[...assigned.schemeVersionIds]}::bigint[],
      ${[...assigned.templateVersionIds]}::bigint[]) AS a(id, scheme, template)
    JOIN device d ON d.id = a.id ORDER BY a.id`.execute(tx);
}

/** What lamps follow last, whatever day it begins: where a return leads. Lamps without a plan have no entry. */
export async function lastAssigned(
  tx: Transaction,
  deviceIds: readonly number[],
): Promise<
  ReadonlyMap<number, { readonly schemeVersionId: number | null; readonly templateVersionId: number | null }>
> {
  const { rows } = await sql<{ id: number; schemeVersionId: number | null; templateVersionId: number | null }>`
    SELECT asked.id, x.scheme_version_id AS "schemeVersionId", x.template_version_id AS "templateVersionId"
    FROM unnest(${[...deviceIds]}::bigint[]) AS asked(id)
    CROSS JOIN LATERAL (SELECT * FROM plan_assignment WHERE device_id = asked.id AND withdrawn_at IS NULL
      ORDER BY from_day DESC, id DESC LIMIT 1) x`.execute(tx);
  return new Map(rows.map(({ id, ...versions }) => [id, versions]));
}
