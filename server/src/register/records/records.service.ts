import {
  faultsInThemselves,
  namesIn,
  recordOf,
  validate,
  type FieldValue,
  type Language,
  type MasterRecord,
  type Problem,
  type Values,
} from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getRecord, updateRecord } from '../../../../contract/register/records.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseProblems, wordedProblems, type Caller, type RuleProblem } from '../../platform/http/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import { translateTaken, type Change } from '../devices/index.ts';
import { dictionaryProblems, dictionaryUses, refuseBuiltIn } from '../dictionaries/index.ts';
import { unweighed, type RegisterWeighing } from '../places/index.ts';
import { conditionsOf, orderOf, recordNamed, visibleRecords, type RecordQuery } from './records.query.ts';
import * as store from './records.store.ts';

type Row = ReplyOf<typeof getRecord>;
type Changed = ReplyOf<typeof updateRecord>;
export interface RecordsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly keys: Keys;
  /** Absent: no lamp was given a plan. */
  readonly weighing?: RegisterWeighing;
}
/** Who asks, and in which language rows are called. */
export interface Asker {
  readonly caller: Caller;
  readonly language: Language;
}
export type Records = ReturnType<typeof createRecords>;

/** Plain master data over the catalogue's records: list, one, create, change, delete. */
export function createRecords({ db, bus, keys, weighing = unweighed }: RecordsParts) {
  async function found(
    from: Db | Transaction,
    { caller, language }: Asker,
    record: MasterRecord,
    id: number,
    lock = false,
  ): Promise<store.StoredRecord> {
    const row = await store.findOne(from, record, language, id, visibleRecords(caller, record), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    if (lock && record.areaColumn === null) refuseForeign(caller, record, undefined);
    return row;
  }
  const written = async ({ caller, language }: Asker, record: MasterRecord, id: number): Promise<Row> =>
    view(record, await found(db, { caller: { ...caller, workAreaId: null }, language }, record, id));
  /** Time zone and position of an area decide when its lamps switch. */
  const announce = (record: MasterRecord, id: number) => {
    if (record.key === 'work-area') bus.publish('settings.changed', { workAreaId: id });
  };
  const seal = (record: MasterRecord, key: string, plain: string): string =>
    `sealed:${keys.encrypt(`${record.key}.${key}`, Buffer.from(plain)).toString('base64')}`;
  /** Checked values as the row keeps them: by column, secrets sealed. */
  const toColumns = (record: MasterRecord, values: Values): Record<string, FieldValue> =>
    Object.fromEntries(
      record.fields.flatMap((field) => {
        const v = values[field.key];
        return !field.column || v === undefined
          ? []
          : [[field.column, field.kind === 'secret' && typeof v === 'string' ? seal(record, field.key, v) : v]];
      }),
    );
  /**
   * What a reference names that does not exist, a value of a closed dictionary, a code that another row has; read
   * without keeping anything.
   */
  async function registerProblems(
    caller: Caller,
    record: MasterRecord,
    current: Values,
    values: Values,
    id: number | null,
  ): Promise<Problem[]> {
    const next = { ...current, ...values };
    const isChanged = (key: string | null | undefined): key is string =>
      typeof key === 'string' && values[key] !== undefined && values[key] !== current[key];
    const above = deviceAbove(record, values);
    const area = above ? await store.areaOfDevice(db, above.family, above.id) : next['workId'];
    if (typeof area === 'number' && caller.workAreas !== 'all' && !caller.workAreas.includes(area)) return [];
    const movesUsed =
      id !== null && (isChanged('workId') || isChanged(record.areaOf)) && (await usesOf(db, record, id)).length > 0;
    return [
      ...(await missing(db, record, values)),
      ...(await dictionaryProblems(db, record, values, id)),
      ...((isChanged(record.codeField) || isChanged(record.codeWithin)) &&
      (await store.isCodeTaken(db, record, next, id))
        ? [{ field: record.codeField, rule: 'taken' } as const]
        : []),
      ...(movesUsed
        ? [{ field: isChanged('workId') ? 'workId' : (record.areaOf ?? 'workId'), rule: 'foreignArea' } as const]
        : []),
    ];
  }
  const usesOf = async (from: Db | Transaction, record: MasterRecord, id: number) => [
    ...(await store.countUses(from, record, id)),
    ...(await dictionaryUses(from, record, id)),
  ];

  /** What the rules say of a form, for whom it is refused: everything at once. */
  const problems = {
    async ofNew(
      { caller }: Asker,
      key: string | undefined,
      body: Readonly<Record<string, unknown>>,
    ): Promise<readonly RuleProblem[]> {
      const record = key === undefined ? undefined : recordOf(key);
      if (!record) return [];
      const { sound, problems: wrong } = soundly(validate(record, body, 'create'));
      return wordedProblems([...wrong, ...(await registerProblems(caller, record, {}, sound, null))]);
    },

    async ofChange(
      asker: Asker,
      key: string | undefined,
      id: number | undefined,
      { version: _version, confirmCount: _count, ...input }: Readonly<Record<string, unknown>>,
    ): Promise<readonly RuleProblem[]> {
      const record = key === undefined ? undefined : recordOf(key);
      if (!record) return [];
      const row =
        id === undefined
          ? undefined
          : await store.findOne(db, record, asker.language, id, visibleRecords(asker.caller, record));
      if (!row?.visible) return wordedProblems(faultsInThemselves(record, input));
      const current = fieldsOf(record, row);
      const { sound, problems: wrong } = soundly(validate(record, input, 'update', current));
      return wordedProblems([...wrong, ...(await registerProblems(asker.caller, record, current, sound, row.id))]);
    },
  };

  return {
    problems,

    async list({ caller, language }: Asker, key: string, query: RecordQuery) {
      const record = recordNamed(key);
      const where = conditionsOf(caller, record, query);
      const size = query.size ?? 50;
      const offset = Math.max(0, (query.page ?? 1) - 1) * size;
      const [rows, recordsTotal] = await Promise.all([
        store.findPage(db, record, language, { where, order: orderOf(record, query, language), limit: size, offset }),
        store.countAll(db, record, where),
      ]);
      return { data: rows.map((row) => view(record, row)), recordsTotal };
    },

    async get(asker: Asker, key: string, id: number): Promise<Row> {
      const record = recordNamed(key);
      return view(record, await found(db, asker, record, id));
    },

    async create(asker: Asker, change: Change, key: string, body: Readonly<Record<string, unknown>>): Promise<Row> {
      const record = recordNamed(key);
      const values = checked(validate(record, body, 'create'));
      if (!record.areaOf) refuseForeign(asker.caller, record, values['workId']);
      const id = await translateTaken(record.codeField, () =>
        change(`${record.key}.create`, async (tx) => {
          throwProblems(await missing(tx, record, values), await dictionaryProblems(tx, record, values, null));
          return store.insertOne(tx, record, {
            ...toColumns(record, values),
            ...(await areaBelow(tx, asker.caller, record, values)),
          });
        }),
      );
      announce(record, id);
      return written(asker, record, id);
    },

    async update(
      asker: Asker,
      change: Change,
      key: string,
      id: number,
      body: Readonly<Record<string, unknown>>,
    ): Promise<Changed> {
      const record = recordNamed(key);
      const { version, confirmCount, ...input } = body;
      const facts: { darkens?: number } = {};
      /** The row as it is written; refuses what may not be, also before anything is kept. */
      const judged = async (tx: Transaction, lock: boolean): Promise<Record<string, FieldValue>> => {
        // The device before the row that hangs on it, as a move of the row takes them.
        const above = deviceAbove(record, input);
        if (above) await store.areaOfDevice(tx, above.family, above.id);
        const row = await found(tx, asker, record, id, lock).catch((refusal: unknown) => {
          // What is wrong in itself (400) comes before what is unknown or foreign (404, 403).
          const problems = faultsInThemselves(record, input);
          throw problems.length > 0 ? refuseProblems(problems) : refusal;
        });
        const current = fieldsOf(record, row);
        const values = checked(validate(record, input, 'update', current));
        if (version !== undefined && version !== row.version) throw refuse('changedMeanwhile');
        throwProblems(await missing(tx, record, values), await dictionaryProblems(tx, record, values, id));
        if (values['workId'] !== undefined && values['workId'] !== current['workId']) {
          refuseForeign(asker.caller, record, values['workId']);
          // What hangs on it would be left behind in the other area.
          if ((await usesOf(tx, record, id)).length > 0)
            throw refuseProblems([{ field: 'workId', rule: 'foreignArea' }]);
        }
        const area = await areaBelow(tx, asker.caller, record, values);
        // What hangs on it would be left behind in the other area.
        if (
          record.areaOf &&
          record.areaColumn &&
          area[record.areaColumn] !== undefined &&
          area[record.areaColumn] !== row[record.areaColumn] &&
          (await usesOf(tx, record, id)).length > 0
        ) {
          throw refuseProblems([{ field: record.areaOf, rule: 'foreignArea' }]);
        }
        return { ...toColumns(record, values), ...area };
      };
      const edit = async (tx: Transaction): Promise<void> => store.updateOne(tx, record, id, await judged(tx, true));
      await translateTaken(record.codeField, () =>
        change(
          `${record.key}.update`,
          async (tx) => {
            if (record.key !== 'work-area') return edit(tx);
            const asked = {
              id,
              next: input,
              refuseFirst: () => judged(tx, false),
              confirmCount: typeof confirmCount === 'number' ? confirmCount : undefined,
            };
            const darkens = await weighing.ofArea(tx, asker.caller, asked, () => edit(tx));
            if (darkens === undefined) delete facts.darkens;
            else facts.darkens = darkens;
          },
          facts,
        ),
      );
      announce(record, id);
      return { ...(await written(asker, record, id)), ...facts };
    },

    async uses(asker: Asker, key: string, id: number) {
      const record = recordNamed(key);
      await found(db, asker, record, id);
      return { blocking: named(await usesOf(db, record, id), asker.language) };
    },

    async remove(asker: Asker, change: Change, key: string, id: number): Promise<void> {
      const record = recordNamed(key);
      await change(`${record.key}.delete`, async (tx) => {
        await found(tx, asker, record, id, true);
        await refuseBuiltIn(tx, record, id);
        const uses = await usesOf(tx, record, id);
        if (uses.length > 0)
          throw refuse('stillUsed', {
            what: (language) =>
              named(uses, language)
                .map((use) => `${use.name} ${use.count}`)
                .join(' · '),
          });
        await store.deleteOne(tx, record, id);
      });
      announce(record, id);
    },
  };
}

const named = (uses: readonly { what: string; count: number }[], language: Language) =>
  uses.map((use) => ({ ...use, name: namesIn(language).usedBy(use.what) }));

/** What is right in itself, and what is wrong. */
const soundly = (result: ReturnType<typeof validate>): { sound: Values; problems: readonly Problem[] } =>
  'problems' in result ? result : { sound: result.value, problems: [] };

function checked(result: ReturnType<typeof validate>): Values {
  if ('problems' in result) throw refuseProblems(result.problems);
  return result.value;
}

function throwProblems(...lists: readonly (readonly Problem[])[]): void {
  const problems = lists.flat();
  if (problems.length > 0) throw refuseProblems(problems);
}

function refuseForeign(caller: Caller, record: MasterRecord, workId: FieldValue | undefined): void {
  if (caller.workAreas === 'all') return;
  // What holds for the whole site is changed by those who see all of it.
  if (record.areaColumn === null) throw refuse('onlyAdministrators');
  // A new work area would be outside of every scope but an administrator's.
  if (record.key === 'work-area' || !caller.workAreas.includes(Number(workId))) throw refuse('foreignWorkArea');
}

/**
 * The device on which a row hangs that takes its area from there; undefined, where the row says its own or the device
 * stays.
 */
function deviceAbove(
  record: MasterRecord,
  values: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly family: string; readonly id: number } | undefined {
  const field = record.fields.find(({ key }) => key === record.areaOf);
  const id = field ? values[field.key] : undefined;
  return field?.kind === 'reference' && 'family' in field.to && typeof id === 'number' && Number.isSafeInteger(id)
    ? { field: field.key, family: field.to.family, id }
    : undefined;
}

/**
 * The area of a row that hangs on a device: the device's, which must be one of the caller's. Nothing, where the row
 * says its own or the device stays.
 */
async function areaBelow(
  tx: Transaction,
  caller: Caller,
  record: MasterRecord,
  values: Values,
): Promise<Record<string, number>> {
  const above = deviceAbove(record, values);
  if (!above || record.areaColumn === null) return {};
  const area = await store.areaOfDevice(tx, above.family, above.id);
  if (area === undefined) throw refuseProblems([{ field: above.field, rule: 'notFound' }]);
  refuseForeign(caller, record, area);
  return { [record.areaColumn]: area };
}

const missing = async (tx: Db | Transaction, record: MasterRecord, values: Values): Promise<Problem[]> =>
  (await store.findMissing(tx, record, values)).map((field) => ({ field, rule: 'notFound' }));

const fieldsOf = (record: MasterRecord, row: store.StoredRecord): Record<string, FieldValue> =>
  Object.fromEntries(record.fields.map((field) => [field.key, (row[field.column ?? ''] ?? null) as FieldValue]));

/** A row as callers see it: by wire names; secrets are named, never shown. */
function view(record: MasterRecord, row: store.StoredRecord): Row {
  const fields = fieldsOf(record, row);
  const secrets = record.fields
    .filter((field) => field.kind === 'secret' && fields[field.key] !== null)
    .map((field) => field.key);
  for (const key of secrets) fields[key] = null;
  const labels = Object.fromEntries(
    Object.entries(row.labels).flatMap(([key, label]) => (label === null ? [] : [[key, label]])),
  );
  return {
    ...fields,
    id: row.id,
    version: row.version,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
    labels,
    secrets,
  };
}
