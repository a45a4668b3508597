import { sql } from 'kysely';
import { familyOf, type FieldValue } from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDevice } from '../../../../contract/register/devices.ts';
import type { Transaction } from '../../platform/db/index.ts';

type Row = ReplyOf<typeof getDevice> & Readonly<Record<string, unknown>>;

/** Who changes devices, and through what. */
interface ChangeOrigin {
  readonly at: Date;
  readonly actorId: number | null;
  readonly actorName: string;
  readonly source: 'edit' | 'import' | 'import.undo' | 'move';
  readonly importId?: number;
  readonly note?: string;
}

export interface FieldChange {
  readonly field: string;
  readonly from: FieldValue;
  readonly to: FieldValue;
  readonly fromLabel: string | null;
  readonly toLabel: string | null;
  readonly masked: boolean;
}

/**
 * A device as callers see it before and after, with the row's own ids; null: it is not there. `secrets`: fields that
 * got another secret.
 */
export interface DeviceChange {
  readonly before: Row | null;
  readonly after: Row | null;
  readonly secrets?: readonly string[];
}

/**
 * Writes into the history of devices what a change did, in its transaction; a change that changed nothing leaves no
 * trace.
 */
export async function recordChanges(
  tx: Transaction,
  origin: ChangeOrigin,
  changes: readonly DeviceChange[],
): Promise<void> {
  const rows = changes.flatMap(({ before, after, secrets = [] }) => {
    const one = after ?? before;
    const kind = before === null ? 'created' : after === null ? 'deleted' : 'updated';
    const fields = kind === 'updated' ? differences(before, after, secrets) : [];
    if (!one || (kind === 'updated' && fields.length === 0)) return [];
    const [from, to] = [before?.['lamppostId'] ?? null, after?.['lamppostId'] ?? null];
    return [
      {
        device_id: one.id,
        family: one.family,
        equipment_code: one['equipmentCode'],
        work_area_id: (before ?? one)['workId'],
        left_pole_id: from !== null && from !== to ? from : null,
        kind,
        fields,
      },
    ];
  });
  await insertChanges(tx, origin, rows);
}

/** Writes one change of something that hangs on a device, a file say, into its history. */
export async function recordFieldChange(
  tx: Transaction,
  origin: ChangeOrigin,
  of: { readonly id: number; readonly family: string; readonly code: string; readonly areaId: number },
  field: FieldChange,
): Promise<void> {
  await insertChanges(tx, origin, [
    {
      device_id: of.id,
      family: of.family,
      equipment_code: of.code,
      work_area_id: of.areaId,
      left_pole_id: null,
      kind: 'updated',
      fields: [field],
    },
  ]);
}

async function insertChanges(tx: Transaction, origin: ChangeOrigin, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`INSERT INTO device_change (at, device_id, family, equipment_code, work_area_id, left_pole_id, kind, source,
    import_id, note, actor_id, actor_name, fields)
    SELECT ${origin.at}, device_id, family, equipment_code, work_area_id, left_pole_id, kind, ${origin.source},
      ${origin.importId ?? null}::bigint, ${origin.note ?? null}::text, ${origin.actorId}::bigint, ${origin.actorName},
      fields
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(device_id bigint, family text, equipment_code text,
      work_area_id bigint, left_pole_id bigint, kind text, fields jsonb)`.execute(tx);
}

/** The fields that differ, in the family's order. */
function differences(before: Row | null, after: Row | null, secrets: readonly string[]): FieldChange[] {
  const family = familyOf(after?.family ?? '');
  if (!family || !before || !after) return [];
  return family.fields.flatMap((field): FieldChange[] => {
    const [from, to] = [(before[field.key] ?? null) as FieldValue, (after[field.key] ?? null) as FieldValue];
    const masked = field.kind === 'secret' || field.kind === 'picture';
    if (field.kind === 'secret' ? !secrets.includes(field.key) : from === to) return [];
    if (masked) return [{ field: field.key, from: null, to: null, fromLabel: null, toLabel: null, masked }];
    return [
      {
        field: field.key,
        from,
        to,
        fromLabel: before.labels[field.key] ?? null,
        toLabel: after.labels[field.key] ?? null,
        masked,
      },
    ];
  });
}
