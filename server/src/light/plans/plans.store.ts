import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { ExceptionOperation } from '../../../../catalogue/lighting/plan/exceptions.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Capabilities } from '../../../../protocols/wire.ts';
import { bigints, prepared, type Db, type Transaction } from '../../platform/db/index.ts';
import { assignmentsComing, endedAtComing, holdsFromComing } from './coming.store.ts';

/** What a lamp follows from a lighting day on; both null: nothing, as a lamp that no plan was ever given. */
export interface Followed {
  readonly from: Day;
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
}

/** What lamps were given: the same object for lamps with the same in both lists. */
export interface GivenLists {
  /** Ascending; of one day the last counts. Null: nothing was ever given. */
  readonly followed: readonly Followed[] | null;
  /** Those that touch the days around, the oldest first. */
  readonly exceptions: readonly StoredException[] | null;
  /** The same for the same in both lists. */
  readonly key: string;
}

export interface AssignedLamp {
  readonly id: number;
  readonly workAreaId: number;
  /** Its own, or its pole's; null: neither is known. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Where it stood when the plan that it was given last was agreed to. */
  readonly givenLatitude: number | null;
  readonly givenLongitude: number | null;
  readonly lists: GivenLists;
  /** Null: nothing is known, or it was not asked for. */
  readonly ability: DeviceAbility | null;
  /** Null: it was not asked for. */
  readonly giving: Giving | null;
}

/** By whom a lamp was given its plan, and what of the lamp its light is judged by. */
export interface Giving {
  /** The publication that gave it what it follows last; null: none did. */
  readonly givenBy: number | null;
  readonly ratedWatts: number | null;
  /** Its own, or its pole's. */
  readonly loopId: number | null;
}

/** An exception as it is stored; epoch ms. */
export interface StoredException {
  readonly id: number;
  /** Null: between the instants. */
  readonly fromDay: Day | null;
  readonly toDay: Day | null;
  readonly from: number;
  readonly to: number;
  /** It was agreed to then, and cancelled then. */
  readonly holdsFrom: number;
  readonly endedAt: number | null;
  readonly op: ExceptionOperation | null;
  readonly level: number | null;
  readonly schemeVersionId: number | null;
  readonly programmeKey: number | null;
}

/** More days than these never hold at once: the present, the next, and what was taken back between them. */
const mostDays = 4;
/** Of a day the last counts; a device may still run the one before it. */
const mostOfDay = 2;
/** Of one lamp, held or planned: one more cannot hold for it. */
export const mostExceptions = 30;

const ms = (instant: RawBuilder<unknown>) => sql`round(extract(epoch FROM ${instant}) * 1000)`;

const mostFollowed = mostDays * mostOfDay;

/** Rows of assignments as text, in the order in which they come; what a lamp has not is 0. JSON takes longer to make. */
const followedOf = (row: RawBuilder<unknown>) =>
  sql`string_agg(concat_ws(' ', ${row}.from_day, coalesce(${row}.scheme_version_id, 0),
    coalesce(${row}.template_version_id, 0)), ',')`;

/** The last ones of each day: of a lamp that was given plans lately they are looked for. */
const lastOfDays = (given: RawBuilder<unknown>, until: Day) => sql`SELECT own.* FROM ${given} own
  WHERE own.device_id = d.id AND own.withdrawn_at IS NULL AND own.from_day <= ${until}::date
  AND NOT EXISTS (SELECT FROM ${given} later WHERE later.device_id = own.device_id AND later.withdrawn_at IS NULL
    AND later.from_day = own.from_day AND later.id > own.id OFFSET ${mostOfDay - 1})
  ORDER BY own.from_day DESC, own.id DESC LIMIT ${mostFollowed}`;

/** What of a device `d` and its report `r` says what it can. */
const abilityColumns = sql`r.capabilities::text AS said, d.props->>'type' AS dimming`;

interface LoadAsked {
  readonly since: Date;
  readonly until: Day;
  /** The present, to count what is on its way to lamps as well. */
  readonly coming?: Date | undefined;
  /** Before this day only the last one counts. */
  readonly whole: Day;
  readonly more: More;
}
/** What is asked for as well: what lamps can, or by whom they were given what they follow. */
export type More = 'abilities' | 'giving' | null;

/**
 * What these lamps follow up to a lighting day, what is excepted since an instant, and what they can if it is asked for;
 * lamps that follow nothing and are not excepted are left out. The planner does not see how many are asked for: it would
 * rather read all devices.
 */
export async function loadAssigned(
  db: Db,
  ids: readonly number[],
  { since, until, whole, coming, more }: LoadAsked,
): Promise<AssignedLamp[]> {
  const given = coming ? assignmentsComing(coming) : sql`plan_assignment`;
  const [holds, ended] = coming
    ? [holdsFromComing(coming), endedAtComing(coming)]
    : [sql`e.holds_from`, sql`e.ended_at`];
  const asked = sql`(SELECT ${bigints(ids)}::bigint[])::bigint[]`;
  const { name, columns, joined, newest } = moreOf(more);
  const { rows } = await sql<StoredLamp>`${coming ? sql`` : prepared(name)}
    SELECT d.id, d.work_area_id AS "workAreaId", coalesce(d.latitude, p.latitude) AS latitude,
      coalesce(d.longitude, p.longitude) AS longitude, f.*, x.exceptions${columns}
    FROM device d LEFT JOIN device p ON p.id = d.pole_id ${joined}
    CROSS JOIN LATERAL (
      SELECT CASE WHEN count(*) < 2 OR min(x.from_day) < ${whole}::date THEN ${followedOf(sql`x`)}
        ELSE (SELECT ${followedOf(sql`y`)} FROM (${lastOfDays(given, until)}) y) END AS followed,
        (array_agg(x.latitude))[1] AS "givenLatitude", (array_agg(x.longitude))[1] AS "givenLongitude"${newest}
      FROM (SELECT own.* FROM ${given} own WHERE own.device_id = d.id AND own.withdrawn_at IS NULL
        AND own.from_day <= ${until}::date ORDER BY own.from_day DESC, own.id DESC LIMIT 2) x
    ) f
    CROSS JOIN LATERAL (SELECT CASE WHEN d.id IN (SELECT device_id FROM plan_exception_item
      WHERE device_id = ANY(${asked}) AND cannot IS NULL) THEN (
        SELECT json_agg(json_build_object('id', e.id, 'fromDay', e.from_day, 'toDay', e.to_day,
          'from', ${ms(sql`e.from_at`)}, 'to', ${ms(sql`e.to_at`)}, 'holdsFrom', ${ms(sql`e.holds`)},
          'endedAt', ${ms(sql`e.ended`)}, 'op', e.op, 'level', e.level,
          'schemeVersionId', e.scheme_version_id, 'programmeKey', e.programme_key) ORDER BY e.id)::text
        FROM (SELECT e.*, ${holds} AS holds, ${ended} AS ended
          FROM plan_exception_item i JOIN plan_exception e ON e.id = i.exception_id
          WHERE i.device_id = d.id AND i.cannot IS NULL AND ${holds} < least(e.to_at, ${ended})
            AND least(e.to_at, ${ended}) > ${since} ORDER BY e.id DESC LIMIT ${mostExceptions + 1}) e
      ) END AS exceptions) x
    WHERE d.id = ANY(${asked}) AND (f.followed IS NOT NULL OR x.exceptions IS NOT NULL)`.execute(db);
  const listsOf = createReader();
  const abilityOf = createAbilityReader();
  return rows.map((row) => ({
    id: row.id,
    workAreaId: row.workAreaId,
    latitude: row.latitude,
    longitude: row.longitude,
    givenLatitude: row.givenLatitude,
    givenLongitude: row.givenLongitude,
    lists: listsOf(row.followed, row.exceptions),
    ability: more === 'abilities' ? abilityOf(row.said ?? null, row.dimming ?? null) : null,
    giving: more === 'giving' ? givingOf(row) : null,
  }));
}

/** How a statement gets what is asked for as well. */
function moreOf(more: More) {
  const none = { columns: sql``, joined: sql``, newest: sql`` };
  if (more === 'abilities')
    return {
      ...none,
      name: 'assigned lamps and what they can',
      columns: sql`, ${abilityColumns}`,
      joined: sql`LEFT JOIN plan_report r ON r.device_id = d.id`,
    };
  if (more === 'giving')
    return {
      ...none,
      name: 'assigned lamps and who gave it',
      columns: sql`, d.rated_watts AS "ratedWatts", coalesce(d.loop_id, p.loop_id) AS "loopId"`,
      newest: sql`, (array_agg(x.publication_id))[1] AS "givenBy"`,
    };
  return { ...none, name: 'assigned lamps' };
}

const givingOf = ({ givenBy = null, ratedWatts = null, loopId = null }: Partial<Giving>): Giving => ({
  givenBy,
  ratedWatts,
  loopId,
});

/** The lists as text, what is followed the newest first. */
type StoredLamp = Omit<AssignedLamp, 'lists' | 'ability' | 'giving'> & {
  readonly followed: string | null;
  readonly exceptions: string | null;
} & Partial<StoredAbility> &
  Partial<Giving>;

/** What a device said that it can as JSON. */
interface StoredAbility {
  readonly said: string | null;
  readonly dimming: string | null;
}

/** Thousands of lamps have the same lists: they are read once. */
function createReader() {
  const known = new Map<string | null, Map<string | null, GivenLists>>();
  return (followed: string | null, exceptions: string | null): GivenLists => {
    const alike = known.get(followed) ?? new Map<string | null, GivenLists>();
    const lists = alike.get(exceptions) ?? {
      followed: followed === null ? null : followedIn(followed),
      exceptions: exceptions === null ? null : (JSON.parse(exceptions) as readonly StoredException[]),
      key: `${followed} ${exceptions}`,
    };
    alike.set(exceptions, lists);
    known.set(followed, alike);
    return lists;
  };
}

function followedIn(text: string): Followed[] {
  const rows = text.split(',').map((row): Followed => {
    const [from = '', scheme, template] = row.split(' ');
    return { from, schemeVersionId: Number(scheme) || null, templateVersionId: Number(template) || null };
  });
  return rows.filter(({ from }, place) => from !== rows[place - mostOfDay]?.from).reverse();
}

export interface SchemeVersion {
  readonly id: number;
  readonly schemeId: number;
  readonly number: number;
  /** Of the time when it was made: devices are told it, and it is in the hash, whatever the scheme is called now. */
  readonly code: string;
  readonly name: string;
  /** It was set for its lamps alone (时间表设置). */
  readonly schedule: boolean;
  /** Of the content, hex. */
  readonly contentHash: string;
  readonly content: SchemeContent;
}
export interface TemplateVersion {
  readonly id: number;
  readonly templateId: number;
  readonly number: number;
  readonly code: string;
  readonly name: string;
  readonly contentHash: string;
  readonly content: TemplateContent;
}

/** Versions by id: they never change. */
export async function loadSchemeVersions(db: Db, ids: readonly number[]): Promise<SchemeVersion[]> {
  const { rows } = await sql<SchemeVersion>`SELECT v.id, s.id AS "schemeId", v.number,
      coalesce(v.code, s.code) AS code, s.name, s.schedule, v.content_hash AS "contentHash", v.content
    FROM scheme_version v JOIN scheme s ON s.id = v.scheme_id WHERE v.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return rows;
}
export async function loadTemplateVersions(db: Db, ids: readonly number[]): Promise<TemplateVersion[]> {
  const { rows } = await sql<TemplateVersion>`SELECT v.id, t.id AS "templateId", v.number,
      coalesce(v.code, t.code) AS code, t.name, v.content_hash AS "contentHash", v.content
    FROM template_version v JOIN work_parameter_template t ON t.id = v.template_id
    WHERE v.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

/** With what devices never say: it stands beside what they said, and goes when they say something else. */
interface KnownCapabilities extends Capabilities {
  /** Of the largest message that it may take: a larger one it left, and answered to smaller ones. */
  readonly foundBytes?: number;
}
/** What is known of a device. */
export interface DeviceAbility {
  /** What it said that it can, and what was found. */
  readonly said: KnownCapabilities | null;
  /** How its lamp is dimmed. */
  readonly dimming: string | null;
}

/** What devices can; those of which nothing is known are left out. */
export async function loadAbilities(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, DeviceAbility>> {
  const { rows } = await sql<StoredAbility & { readonly id: number }>`SELECT d.id, ${abilityColumns}
    FROM device d LEFT JOIN plan_report r ON r.device_id = d.id
    WHERE d.id = ANY(${[...ids]}::bigint[]) AND (r.capabilities IS NOT NULL OR d.props->>'type' IS NOT NULL)`.execute(
    db,
  );
  const abilityOf = createAbilityReader();
  return new Map(rows.map(({ id, said, dimming }) => [id, abilityOf(said, dimming)]));
}

/** Thousands of devices say the same: it is read once. */
function createAbilityReader() {
  const known = new Map<string | null, Map<string | null, DeviceAbility>>();
  return (said: string | null, dimming: string | null): DeviceAbility => {
    const alike = known.get(said) ?? new Map<string | null, DeviceAbility>();
    const ability = alike.get(dimming) ?? {
      said: said === null ? null : (JSON.parse(said) as KnownCapabilities),
      dimming,
    };
    alike.set(dimming, ability);
    known.set(said, alike);
    return ability;
  };
}

/** The roads of these devices; those of none are left out. */
export async function loadRoads(
  db: Db,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly roadId: number }[]> {
  const { rows } = await sql<{ id: number; roadId: number }>`SELECT id, road_id AS "roadId" FROM device
    WHERE id = ANY(${[...ids]}::bigint[]) AND road_id IS NOT NULL`.execute(db);
  return rows;
}

/** Whether an exception holds for the device `d`, or will. */
export const isExcepted = sql<SqlBool>`EXISTS (SELECT FROM plan_exception_item excepted
  JOIN plan_exception e ON e.id = excepted.exception_id
  WHERE excepted.device_id = d.id AND excepted.cannot IS NULL AND e.state IN ('planned', 'inForce'))`;

/** What a device says that can follow every plan by itself. */
const followsAll = sql<SqlBool>`coalesce((r.capabilities #>> '{plan,calendar}')::boolean
  AND (r.capabilities #>> '{plan,cycle}')::boolean
  AND (r.capabilities #>> '{plan,periods}')::int >= ${planLimits.periods.max}
  AND NOT r.capabilities ?| ARRAY['messageBytes', 'foundBytes'], false)`;

/** Lamps of an area that are told each day's table: a slice of them, those whose id leaves `rest` by `slices`. */
export interface TableSlice {
  readonly slices: number;
  readonly rest: number;
  readonly now: Date;
}

/**
 * Lamps of an area that may go by the table, or all with a plan. Relays do where a plan has levels that they have not,
 * and every device until the first day of its plan.
 */
export async function findTableLamps(
  db: Db,
  workAreaId: number,
  { slices, rest, now, all }: TableSlice & { readonly all: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM device d
    JOIN work_area a ON a.id = d.work_area_id LEFT JOIN plan_report r ON r.device_id = d.id
    WHERE d.work_area_id = ${workAreaId} AND d.id % ${slices} = ${rest}
      AND (${all} OR d.props->>'type' = 'switch' OR NOT ${followsAll} OR EXISTS (SELECT FROM plan_assignment x
        WHERE x.device_id = d.id AND x.withdrawn_at IS NULL
          AND x.from_day > (${now}::timestamptz AT TIME ZONE a.time_zone)::date))
      AND (EXISTS (SELECT FROM plan_assignment x WHERE x.device_id = d.id AND x.withdrawn_at IS NULL)
        OR ${isExcepted})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notes of the largest message that each of these devices takes. */
export async function writeFoundBytes(
  tx: Transaction,
  found: readonly { readonly id: number; readonly bytes: number }[],
): Promise<void> {
  await sql`INSERT INTO plan_report AS p (device_id, capabilities)
    SELECT f.id, jsonb_build_object('foundBytes', f.bytes)
    FROM unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ bytes }) => bytes)}::int[]) AS f(id, bytes)
    ORDER BY f.id
    ON CONFLICT (device_id) DO UPDATE SET capabilities = coalesce(p.capabilities, '{}') || excluded.capabilities`.execute(
    tx,
  );
}
