/**
 * Writes server/src/register/imports/coordinate-systems.json: which coordinate systems an import may use. Of every
 * system that proj4-list defines, and every zone of UTM, three points of its area of use are converted by PROJ and by
 * what the server converts with; what agrees is kept, with its name, its area of use and by how much it may be off.
 * Needed only when proj4-list or the EPSG registry moves on; run by hand, it takes minutes:
 *
 *   apt-get install proj-bin proj-data      (PROJ 9.1 of Debian 12 has EPSG v10.076)
 *   node_modules/.bin/node tools/generate/coordinate-systems.ts [--check]
 *
 * With --check it writes nothing and fails where the file would be another.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import {
  converterOf,
  definitionOf,
  krovakSystems,
  type Place,
  type ToWgs84,
} from '../../server/src/register/imports/coordinates.ts';

const target = join(import.meta.dirname, '../../server/src/register/imports/coordinate-systems.json');
const database = new DatabaseSync(process.env['PROJ_DB'] ?? '/usr/share/proj/proj.db', { readOnly: true });
const run = promisify(execFile);

/** Beyond so many metres from PROJ a system is refused; within the first it is not worth a word. */
const mostMetres = 100;
const exactMetres = 1;
/**
 * Where no other tie to WGS-84 is published, the seven parameters of the list are taken; they are said to be good to
 * about this.
 */
const trustedMetres = 10;

type Box = readonly [west: number, south: number, east: number, north: number];
/** `north`, `south`, `east`, `west`, or what only maps of the poles have. */
type Direction = string;
interface System {
  readonly code: string;
  readonly name: string;
  readonly base: string;
  readonly axes: readonly [Direction, Direction];
  readonly area: Box;
}

const rows = <T>(sql: string): T[] => database.prepare(sql).all() as T[];
const every = (table: string, columns: string, where: string): string =>
  `SELECT ${columns} FROM ${table} WHERE auth_name = 'EPSG' AND ${where}`;

/** What the registry says of plane and geographic systems, by code. */
function systemsOf(): Map<string, System> {
  const axes = Map.groupBy(
    rows<{ system: string; place: number; orientation: Direction }>(
      every('axis', 'coordinate_system_code AS system, coordinate_system_order AS place, orientation', 'true'),
    ),
    ({ system }) => String(system),
  );
  const areas = new Map<string, Box>();
  const used = `SELECT u.object_code AS code, x.west_lon AS w, x.south_lat AS s, x.east_lon AS e, x.north_lat AS n
    FROM usage u JOIN extent x ON x.auth_name = u.extent_auth_name AND x.code = u.extent_code
    WHERE u.object_auth_name = 'EPSG' AND u.object_table_name IN ('projected_crs', 'geodetic_crs')`;
  for (const { code, w, s, e, n } of rows<{ code: string; w: number | null; s: number; e: number; n: number }>(used))
    if (w !== null && !areas.has(String(code))) areas.set(String(code), [w, s, e, n]);
  const all = rows<{
    code: string;
    name: string;
    base: string;
    system: string;
  }>(`${every('projected_crs', 'code, name, geodetic_crs_code AS base, coordinate_system_code AS system', 'true')}
    UNION ALL ${every('geodetic_crs', 'code, name, code AS base, coordinate_system_code AS system', `type = 'geographic 2D'`)}`);
  return new Map(
    all.flatMap(({ code, name, base, system }) => {
      const area = areas.get(String(code));
      const of = axes.get(String(system)) ?? [];
      const at = (place: number): Direction => of.find((axis) => axis.place === place)?.orientation ?? '';
      return area
        ? [[String(code), { code: String(code), name, base: String(base), axes: [at(1), at(2)], area }] as const]
        : [];
    }),
  );
}

/**
 * Published ties of a datum to WGS-84 by three or seven parameters, in metres, seconds of arc and parts per million; by
 * the code of its geographic system.
 */
function shiftsOf(): Map<string, number[][]> {
  const found = rows<
    Record<
      'method' | 'source' | 'tx' | 'ty' | 'tz' | 'rx' | 'ry' | 'rz' | 'scale' | 'rotationUnit' | 'scaleUnit',
      number
    >
  >(`SELECT method_code AS method, source_crs_code AS source, tx, ty, tz, rx, ry, rz, scale_difference AS scale,
    rotation_uom_code AS rotationUnit, scale_difference_uom_code AS scaleUnit FROM helmert_transformation
    WHERE auth_name = 'EPSG' AND source_crs_auth_name = 'EPSG' AND target_crs_auth_name = 'EPSG'
      AND target_crs_code = '4326' AND deprecated = 0 AND translation_uom_code = '9001'`);
  const [geocentric, positionVector, coordinateFrame, arcSeconds, millionths] = [9603, 9606, 9607, 9104, 9202];
  const shifts = new Map<string, number[][]>();
  for (const { method, source, tx, ty, tz, rx, ry, rz, scale, rotationUnit, scaleUnit } of found) {
    const sign = Number(method) === coordinateFrame ? -1 : 1;
    const seven =
      [positionVector, coordinateFrame].includes(Number(method)) &&
      Number(rotationUnit) === arcSeconds &&
      Number(scaleUnit) === millionths;
    if (Number(method) !== geocentric && !seven) continue;
    shifts.set(String(source), [
      ...(shifts.get(String(source)) ?? []),
      seven ? [tx, ty, tz, sign * rx, sign * ry, sign * rz, scale] : [tx, ty, tz],
    ]);
  }
  return shifts;
}

interface Sample {
  readonly place: Place;
  readonly numbers: readonly [number, number];
}

/** Three points of an area of use with their numbers by PROJ, in the order of the system's axes. */
async function samplesOf({ code, area: [west, south, east, north] }: System): Promise<Sample[]> {
  const width = (east < west ? east + 360 : east) - west;
  const places = (
    [
      [0.5, 0.5],
      [0.25, 0.3],
      [0.75, 0.7],
    ] as const
  ).map(([across, up]): Place => ({
    longitude: ((west + width * across + 180) % 360) - 180,
    latitude: south + (north - south) * up,
  }));
  const asked = run('cs2cs', ['-f', '%.9f', 'EPSG:4326', `EPSG:${code}`]);
  asked.child.stdin?.end(places.map(({ longitude, latitude }) => `${latitude} ${longitude}\n`).join(''));
  const lines = await asked.then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  );
  return places.flatMap((place, at) => {
    const [a = Number.NaN, b = Number.NaN] = (lines[at] ?? '').trim().split(/\s+/).map(Number);
    return Number.isFinite(a) && Number.isFinite(b) ? [{ place, numbers: [a, b] as const }] : [];
  });
}

const rad = Math.PI / 180;
function metres(a: Place, b: Place): number {
  const h =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** By how many metres our conversion is off at worst; infinite where it gives nothing. */
function worst(convert: () => ToWgs84, samples: readonly Sample[], northFirst: boolean): number {
  try {
    const by = convert();
    return Math.max(
      ...samples.map(({ place, numbers: [a, b] }) => {
        const at = northFirst ? by(b, a) : by(a, b);
        return at ? metres(at, place) : Infinity;
      }),
    );
  } catch {
    return Infinity;
  }
}

const eastWest: readonly Direction[] = ['east', 'west'];
const northSouth: readonly Direction[] = ['north', 'south'];
/** One axis to the east and one to the north, or both against it: what can be asked of a person as two columns. */
const isGrid = ([a, b]: System['axes']): boolean =>
  ((eastWest.includes(a) && northSouth.includes(b)) || (northSouth.includes(a) && eastWest.includes(b))) &&
  [a, b].includes('west') === [a, b].includes('south');

type Entry =
  | readonly [name: string, ...area: number[]]
  | readonly [string, number, number, number, number, number, number[]];

/** What is kept of a system, or undefined for what is refused. */
async function entryOf(system: System, definition: string, shifts: readonly number[][]): Promise<Entry | undefined> {
  if (!isGrid(system.axes)) return undefined;
  const area = system.area.map((edge) => Math.round(edge * 100) / 100) as [number, number, number, number];
  const samples = await samplesOf(system);
  if (samples.length === 0) return undefined;
  const northFirst = northSouth.includes(system.axes[0]);
  let off = worst(() => converterOf(definition), samples, northFirst);
  let shift: number[] | undefined;
  for (const other of off > exactMetres ? shifts : []) {
    const byOther = worst(() => converterOf(definition, other), samples, northFirst);
    if (byOther < off * 0.8) [off, shift] = [byOther, other];
  }
  if (off <= exactMetres) return shift ? [system.name, ...area, 0, shift] : [system.name, ...area];
  if (off <= mostMetres)
    return shift ? [system.name, ...area, Math.ceil(off), shift] : [system.name, ...area, Math.ceil(off)];
  const hasSeven = /towgs84=([^, ]+,){6}/.test(definition) && !/towgs84=([^,]+,){3}0,0,0/.test(definition);
  return shifts.length === 0 && hasSeven ? [system.name, ...area, trustedMetres] : undefined;
}

const known = systemsOf();
const shifts = shiftsOf();
const listed = Object.keys(createRequire(import.meta.url)('proj4-list') as object).map((key) =>
  key.slice('EPSG:'.length),
);
const zones = [32_600, 32_700].flatMap((base) => Array.from({ length: 60 }, (_, zone) => String(base + zone + 1)));
const asked = [...new Set([...listed, ...zones])];
const tried = asked.flatMap((code) => known.get(code) ?? []);
const kept = new Map<string, Entry>();
const refused: string[] = [];
const queue = tried.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const system of queue) {
      // The Czech and Slovak survey has a converter of its own; its three systems are used in the same area.
      const own = krovakSystems.has(`EPSG:${system.code}`) ? known.get('5514') : undefined;
      const definition = definitionOf(`EPSG:${system.code}`);
      const entry = own
        ? ([system.name, ...own.area.map((edge) => Math.round(edge * 100) / 100)] as const)
        : definition === undefined
          ? undefined
          : await entryOf(system, definition, shifts.get(system.base) ?? []);
      if (entry) kept.set(system.code, entry);
      else refused.push(system.code);
    }
  }),
);

const text = `{\n${[...kept]
  .toSorted(([a], [b]) => Number(a) - Number(b))
  .map(([code, entry]) => `${JSON.stringify(code)}:${JSON.stringify(entry)}`)
  .join(',\n')}\n}\n`;
const [{ value: version } = { value: '?' }] = rows<{ value: string }>(
  `SELECT value FROM metadata WHERE key = 'EPSG.VERSION'`,
);
const entries = [...kept.values()];
process.stdout.write(
  `EPSG ${version}: ${asked.length} systems asked about, ${tried.length} in the registry with an area of use, ${kept.size} kept (${entries.filter((one) => one.length > 6).length} with other parameters, ${entries.filter((one) => Number(one[5] ?? 0) > 1).length} off by more than 1 m), ${refused.length} refused\n`,
);
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  process.stdout.write('coordinate-systems.json is another\n');
  process.exitCode = 1;
}
