import { sql } from 'kysely';
import type { listCommandPaces, updateCommandSettings } from '../../../../contract/light/command-settings.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { takeLock, type Db } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  type Caller,
  type FieldProblem,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import { readSettings, writeSettings, type StoredSettings } from './settings.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;

/** A proof comes after the answer it belongs to. */
const limitProblems = ({ confirmSeconds, acknowledgeSeconds }: Sound<StoredSettings['limits']>): FieldProblem[] =>
  confirmSeconds !== undefined && acknowledgeSeconds !== undefined && confirmSeconds <= acknowledgeSeconds
    ? [{ field: 'limits.confirmSeconds', rule: 'minimum', values: { limit: acknowledgeSeconds + 1 } }]
    : [];

/** How the site wants commands to be given, and how fast each gateway is spoken to. */
export function createCommandSettings({ db, bus }: { readonly db: Db; readonly bus: Bus }) {
  return {
    get: (): Promise<StoredSettings> => readSettings(db),

    async update(
      { change }: Ctx,
      { version, policy, limits }: BodyOf<typeof updateCommandSettings>,
    ): Promise<StoredSettings> {
      const saved = await change({ action: 'command.settings' }, async (tx) => {
        await takeLock(tx, 'commandSettings');
        const before = await readSettings(tx);
        if (version !== undefined && version !== before.version) throw refuse('changedMeanwhile');
        const next = {
          version: before.version + 1,
          policy: { ...before.policy, ...policy },
          limits: { ...before.limits, ...limits },
        };
        const problems = limitProblems(next.limits);
        if (problems.length > 0) throw refuseFields(...problems);
        await writeSettings(tx, next);
        return next;
      });
      bus.publish('settings.changed', { workAreaId: null });
      return saved;
    },

    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: async ({ limits }: Sound<BodyOf<typeof updateCommandSettings>>): Promise<FieldProblem[]> =>
      limitProblems({ ...(await readSettings(db)).limits, ...limits }),

    async paces(
      caller: Caller,
      { q, page = 1, size = 50 }: QueryOf<typeof listCommandPaces>,
    ): Promise<ReplyOf<typeof listCommandPaces>> {
      const words = q?.trim();
      const where = sql<boolean>`${visibleDevices(caller)} AND EXISTS (SELECT 1 FROM device x WHERE x.parent_id = d.id)
        ${words ? sql`AND (strpos(lower(d.equipment_code), lower(${words})) > 0 OR strpos(lower(d.equipment_name), lower(${words})) > 0)` : sql``}`;
      const [{ rows }, { rows: counted }] = await Promise.all([
        sql<
          ReplyOf<typeof listCommandPaces>['data'][number]
        >`SELECT d.id, d.equipment_code AS code, d.equipment_name AS name, p.per_second AS "perSecond",
          (SELECT count(*)::int FROM device x WHERE x.parent_id = d.id) AS children
          FROM device d LEFT JOIN command_pace p ON p.device_id = d.id WHERE ${where}
            ORDER BY d.equipment_code COLLATE natural_order, d.id
            LIMIT ${size} OFFSET ${Math.max(0, page - 1) * size}`.execute(db),
        sql<{ n: number }>`SELECT count(*)::int AS n FROM device d WHERE ${where}`.execute(db),
      ]);
      return { data: rows, recordsTotal: counted[0]?.n ?? 0 };
    },

    async setPace({ caller, change }: Ctx, id: number, perSecond: number | null): Promise<void> {
      const { rows } = await sql<{
        visible: boolean;
      }>`SELECT ${visibleDevices(caller)} AS visible FROM device d WHERE d.id = ${id}`.execute(db);
      if (!rows[0]) throw refuse('notFound');
      if (!rows[0].visible) throw refuse('foreignWorkArea');
      await change({ action: 'command.pace' }, async (tx) => {
        await tx
          .insertInto('command_pace')
          .values({ device_id: id, per_second: perSecond })
          .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ per_second: perSecond }))
          .execute();
      });
    },
  };
}
