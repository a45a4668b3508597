import { sql } from 'kysely';
import type { Language } from '../../../../catalogue/languages.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { Sheet, SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { Proof } from './commands.rules.ts';
import type { StoredItem } from './reading.store.ts';
import { commandTexts, type CommandTexts } from './texts.ts';

export interface CommandSheetParams {
  readonly commandId: number;
  readonly states: readonly string[] | null;
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}

/** The results of a command, device by device, in the reader's language and time. */
export const commandSheet: SheetKind<CommandSheetParams> = {
  module: import.meta.url,
  name: 'commandSheet',
  open(db: Db, params: CommandSheetParams): Sheet {
    const { title, columns } = commandTexts[params.language];
    const times = new Set(['queued', 'sent', 'acknowledged', 'ended', 'proofAt']);
    return {
      name: `${title} ${params.commandId}`,
      count: params.count,
      rows: rowsOf(db, params),
      columns: Object.entries(columns).map(([key, name]) => ({
        title: name,
        kind: times.has(key)
          ? ('time' as const)
          : key === 'level' || key === 'power'
            ? ('decimal' as const)
            : ('text' as const),
        width: times.has(key) ? 20 : Math.max(12, name.length + 4),
      })),
    };
  },
};

/** The server's keys in words; what a device said as it is, whatever it is called. */
const remarkOf = ({ errors }: CommandTexts, error: string | null): string | null =>
  error !== null && Object.hasOwn(errors, error) ? (errors[error] ?? error) : error;

type Row = Pick<
  StoredItem,
  | 'deviceId'
  | 'code'
  | 'name'
  | 'state'
  | 'error'
  | 'queuedAt'
  | 'sentAt'
  | 'acknowledgedAt'
  | 'endedAt'
  | 'proof'
  | 'verification'
>;
const rowsARead = 1000;

async function* rowsOf(
  db: Db,
  { commandId, states, scope, language, timezoneOffset }: CommandSheetParams,
): AsyncGenerator<SheetRow[]> {
  const texts = commandTexts[language];
  const local = (at: Date | string | null): Date | null => (at === null ? null : wallTime(at, timezoneOffset));
  for (let after = 0; ;) {
    const { rows } =
      await sql<Row>`SELECT i.device_id AS "deviceId", d.equipment_code AS code, d.equipment_name AS name, i.state,
        i.error, i.queued_at AS "queuedAt", i.sent_at AS "sentAt",
        i.acknowledged_at AS "acknowledgedAt", i.ended_at AS "endedAt", i.proof, i.verification
      FROM command_item i JOIN device d ON d.id = i.device_id
      WHERE i.command_id = ${commandId} AND i.device_id > ${after}
        AND ${visibleDevices(scope)}${states ? sql` AND i.state = ANY(${[...states]}::text[])` : sql``}
      ORDER BY i.device_id LIMIT ${rowsARead}`.execute(db);
    if (rows.length === 0) return;
    yield rows.map((row) => {
      const proof: Proof | null = row.verification ?? row.proof;
      return [
        row.code,
        row.name,
        texts.states[row.state],
        remarkOf(texts, row.error),
        local(row.queuedAt),
        local(row.sentAt),
        local(row.acknowledgedAt),
        local(row.endedAt),
        local(proof?.at ?? null),
        proof?.level ?? null,
        proof?.power ?? null,
        proof === null || proof.relay === null ? null : proof.relay ? texts.closed : texts.open,
        row.verification ? texts.verified[row.verification.outcome] : null,
      ];
    });
    after = rows.at(-1)?.deviceId ?? after;
  }
}
