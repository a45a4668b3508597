import { faultsInThemselves, namesIn, validate, type FieldValue, type Language, type MasterRecord, type Values } from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getRecord } from '../../../../contract/routes/records.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseProblems, type Caller } from '../../platform/http/index.ts';
import { translateTaken, type Change } from '../devices/index.ts';
import { conditionsOf, orderOf, recordNamed, visibleRecords, type RecordQuery } from './records.query.ts';
import * as store from './records.store.ts';

type Row = ReplyOf<typeof getRecord>;
export interface RecordsParts { readonly db: Db; readonly bus: Bus }
export type Records = ReturnType<typeof createRecords>;

/** Plain master data over the catalogue's records: list, one, create, change, delete. */
export function createRecords({ db, bus }: RecordsParts) {
  async function found(from: Db | Transaction, caller: Caller, record: MasterRecord, id: number, lock = false): Promise<store.StoredRecord> {
    const row = await store.findOne(from, record, id, visibleRecords(caller, record), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }
  /** Time zone and position of an area decide when its lamps switch. */
  const announce = (record: MasterRecord, id: number) => {
    if (record.key === 'work-area') bus.publish('settings.changed', { workAreaId: id });
  };

  return {
    async list(caller: Caller, key: string, query: RecordQuery) {
      const record = recordNamed(key);
      const where = conditionsOf(caller, record, query);
      const size = query.size ?? 50;
      const offset = Math.max(0, (query.page ?? 1) - 1) * size;
      const [rows, recordsTotal] = await Promise.all([
        store.findPage(db, record, where, orderOf(record, query), { limit: size, offset }), store.countAll(db, record, where),
      ]);
      return { data: rows.map((row) => view(record, row)), recordsTotal };
    },

    async get(caller: Caller, key: string, id: number): Promise<Row> {
      const record = recordNamed(key);
      return view(record, await found(db, caller, record, id));
    },

    async create(caller: Caller, change: Change, key: string, body: Readonly<Record<string, unknown>>): Promise<Row> {
      const record = recordNamed(key);
      const values = checked(validate(record, body, 'create'));
      refuseForeign(caller, record, values['workId']);
      const id = await translateTaken(record.codeField, () => change(`${record.key}.create`, async (tx) => {
        await checkArea(tx, values);
        return store.insertOne(tx, record, toColumns(record, values));
      }));
      announce(record, id);
      return view(record, await found(db, { ...caller, workAreaId: null }, record, id));
    },

    async update(caller: Caller, change: Change, key: string, id: number, body: Readonly<Record<string, unknown>>): Promise<Row> {
      const record = recordNamed(key);
      const { version, ...input } = body;
      await translateTaken(record.codeField, () => change(`${record.key}.update`, async (tx) => {
        const row = await found(tx, caller, record, id, true).catch((refusal: unknown) => {
          // What is wrong in itself (400) comes before what is unknown or foreign (404, 403).
          const problems = faultsInThemselves(record, input);
          throw problems.length > 0 ? refuseProblems(problems) : refusal;
        });
        const current = fieldsOf(record, row);
        const values = checked(validate(record, input, 'update', current));
        if (version !== undefined && version !== row.version) throw refuse('changedMeanwhile');
        if (values['workId'] !== undefined && values['workId'] !== current['workId']) {
          refuseForeign(caller, record, values['workId']);
          await checkArea(tx, values);
          // What hangs on it would be left behind in the other area.
          if ((await store.countUses(tx, record, id)).length > 0) throw refuseProblems([{ field: 'workId', rule: 'foreignArea' }]);
        }
        await store.updateOne(tx, record, id, toColumns(record, values));
      }));
      announce(record, id);
      return view(record, await found(db, { ...caller, workAreaId: null }, record, id));
    },

    async uses(caller: Caller, key: string, id: number, language: Language) {
      const record = recordNamed(key);
      await found(db, caller, record, id);
      return { blocking: named(await store.countUses(db, record, id), language) };
    },

    async remove(caller: Caller, change: Change, key: string, id: number): Promise<void> {
      const record = recordNamed(key);
      await change(`${record.key}.delete`, async (tx) => {
        await found(tx, caller, record, id, true);
        const uses = await store.countUses(tx, record, id);
        if (uses.length > 0) throw refuse('stillUsed', { what: (language) => named(uses, language).map((use) => `${use.name} ${use.count}`).join(' · ') });
        await store.deleteOne(tx, record, id);
      });
      announce(record, id);
    },
  };
}

const named = (uses: readonly { what: string; count: number }[], language: Language) =>
  uses.map((use) => ({ ...use, name: namesIn(language).usedBy(use.what) }));

function checked(result: ReturnType<typeof validate>): Values {
  if ('problems' in result) throw refuseProblems(result.problems);
  return result.value;
}

function refuseForeign(caller: Caller, record: MasterRecord, workId: FieldValue | undefined): void {
  if (caller.workAreas === 'all') return;
  // A new work area would be outside of every scope but an administrator's.
  if (record.key === 'work-area' || !caller.workAreas.includes(Number(workId))) throw refuse('foreignWorkArea');
}

async function checkArea(tx: Transaction, values: Values): Promise<void> {
  if (values['workId'] === undefined) return;
  const area = await tx.selectFrom('work_area').select('id').where('id', '=', Number(values['workId'])).executeTakeFirst();
  if (!area) throw refuseProblems([{ field: 'workId', rule: 'notFound' }]);
}

const fieldsOf = (record: MasterRecord, row: store.StoredRecord): Record<string, FieldValue> =>
  Object.fromEntries(record.fields.map((field) => [field.key, (row[field.column ?? ''] ?? null) as FieldValue]));

const toColumns = (record: MasterRecord, values: Values): Record<string, FieldValue> =>
  Object.fromEntries(record.fields.flatMap((field) => field.column && values[field.key] !== undefined ? [[field.column, values[field.key] ?? null]] : []));

function view(record: MasterRecord, row: store.StoredRecord): Row {
  const labels = record.fields.some((field) => field.key === 'workId') && row.work_name !== null ? { workId: row.work_name } : {};
  return { ...fieldsOf(record, row), id: row.id, version: row.version, createTime: row.created_at.toISOString(), updateTime: row.updated_at.toISOString(), labels: labels as Record<string, string> };
}
