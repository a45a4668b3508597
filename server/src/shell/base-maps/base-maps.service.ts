import { asksService, tileAt, type BaseMapKind } from '../../../../catalogue/base-maps.ts';
import { fromWgs84, type GeographicSystem } from '../../../../catalogue/coordinates.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '../../../../contract/route.ts';
import {
  baseMapLimits,
  type createBaseMap,
  type getTile,
  type listBaseMaps,
  type testBaseMap,
  type updateBaseMap,
  type uploadBaseMapFile,
} from '../../../../contract/shell/base-maps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { lockFile, removeUnkept, type Files } from '../../platform/files/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import { OutboundError, type Reach } from '../../platform/outbound/index.ts';
import { ArchiveError, createArchives, type ArchiveFacts, type ArchivePlace } from './archives.ts';
import { archivePlace, askTile, layersOf, systemOf, type Askable } from './asking.ts';
import { hostOf, settingProblems, toColumns, type Given } from './base-maps.rules.ts';
import * as store from './base-maps.store.ts';
import { createTiles } from './tiles.ts';
import { fileView, publicView, settingsView, type PublicView, type SettingsView } from './base-maps.view.ts';

export interface BaseMapsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly files: Files;
  /** The tick "own network" leads to this machine too. */
  readonly fromThisMachine: boolean;
  /** Whether the demonstration has a city whose ground can be drawn. */
  readonly hasGround: () => boolean | Promise<boolean>;
}
type Ctx = Pick<RequestContext, 'change' | 'upload'>;
export type BaseMaps = ReturnType<typeof createBaseMaps>;

const dayMs = 86_400_000;
const mostMaps = 50;

/** What lies under the lamps: settings, tiles through this server, and what a service really answers. */
export function createBaseMaps({ db, clock, keys, files, fromThisMachine, hasGround }: BaseMapsParts) {
  const reachOf = (allowPrivate: boolean): Reach => (allowPrivate ? (fromThisMachine ? 'machine' : 'own') : 'public');
  const archives = createArchives({ files, now: () => clock.now() });
  const tiles = createTiles({ archives, clock });
  const seal = (plain: string): string => keys.encrypt('base-map.key', Buffer.from(plain)).toString('base64');
  const unseal = (sealed: string | null): string | null =>
    sealed === null ? null : keys.decrypt('base-map.key', Buffer.from(sealed, 'base64')).toString();
  const askable = (row: store.BaseMapRow): Askable => ({
    kind: row.kind,
    style: row.style,
    address: row.address,
    file: row.file,
    key: unseal(row.key),
    format: row.format,
    minZoom: row.min_zoom,
    maxZoom: row.max_zoom,
    reach: reachOf(row.allow_private),
  });
  /** One of them as it is stored now. */
  async function view(id: number): Promise<SettingsView> {
    const row = await store.findById(db, id);
    if (!row) throw refuse('notFound');
    return settingsView(
      row,
      row.file === null ? undefined : (await store.findFiles(db, [row.file]))[0],
      defaultOf(await existing()),
    );
  }

  /** Those that exist here: the demonstration's ground only where there is one. */
  async function existing(): Promise<store.BaseMapRow[]> {
    const [rows, ground] = await Promise.all([store.findAll(db), hasGround()]);
    return rows.filter(({ kind }) => kind !== 'ground' || ground);
  }
  const defaultOf = (rows: readonly store.BaseMapRow[]): number | undefined =>
    (
      rows.find((row) => row.is_default) ??
      rows.find((row) => row.kind === 'ground' && row.is_enabled) ??
      rows.find((row) => row.kind === 'grid')
    )?.id;

  async function readArchive(place: ArchivePlace, field: string): Promise<ArchiveFacts> {
    try {
      return await archives.facts(place);
    } catch (thrown) {
      if (thrown instanceof ArchiveError || thrown instanceof OutboundError)
        throw refuse('noMapArchive', { reason: thrown.message }, { fields: [{ field, rule: 'invalid' }] });
      throw thrown;
    }
  }

  /** Shapes are drawn where they are; only pictures can be moved. Returns what is in the archive. */
  async function refuseMoved(
    { file, system }: Pick<store.BaseMapValues, 'file' | 'system'>,
    place: ArchivePlace,
  ): Promise<ArchiveFacts> {
    const facts = await readArchive(place, file ? 'file' : 'address');
    if (facts.format === 'vector' && system !== 'WGS84') throw refuseFields({ field: 'system', rule: 'invalid' });
    return facts;
  }

  /** What a change means for the row as it is kept, and the row as it would be. */
  function drafted(kind: string, row: store.BaseMapRow | undefined, given: Sound<Given>) {
    const next = toColumns(kind, row === undefined, given, seal);
    const before = {
      name: null,
      style: null,
      address: null,
      file: null,
      key: null,
      system: 'WGS84',
      format: 'raster',
      min_zoom: 0,
      max_zoom: 18,
      is_enabled: true,
      is_default: false,
      ...row,
    };
    const moved =
      row !== undefined &&
      next.key === undefined &&
      next.address !== undefined &&
      hostOf(next.address) !== hostOf(row.address);
    const after = { ...before, ...next, kind };
    return { next, after, problems: settingProblems({ ...after, hasKey: !moved && after.key !== null }) };
  }

  /** What a change means for the row; everything wrong with it is named at once. An archive is read before. */
  async function settled(
    kind: BaseMapKind,
    row: store.BaseMapRow | undefined,
    given: Given,
  ): Promise<store.BaseMapValues> {
    const { next, after, problems } = drafted(kind, row, given);
    if (problems.length > 0) throw refuseFields(...problems);
    if (kind !== 'pmtiles' || (next.address === undefined && next.file === undefined)) return next;
    const facts = await refuseMoved(
      after,
      archivePlace({
        file: after.file ?? null,
        address: after.address ?? null,
        reach: reachOf(next.allow_private ?? row?.allow_private ?? false),
      }),
    );
    return {
      ...next,
      format: facts.format,
      min_zoom: facts.minZoom,
      max_zoom: facts.maxZoom,
      tile_size: next.tile_size ?? (facts.format === 'vector' ? 512 : 256),
      ...(after.attribution === undefined || after.attribution === null ? { attribution: facts.attribution } : {}),
    };
  }

  /**
   * What the rules say of a form, for whom it is refused: everything at once. An archive of another server is not asked
   * for that.
   */
  const problemsOfForm = (
    kind: string,
    row: store.BaseMapRow | undefined,
    given: Sound<Given>,
  ): Promise<RuleProblem[]> =>
    problemsOf(
      () => drafted(kind, row, given).problems,
      async () => {
        const { after } = drafted(kind, row, given);
        if (kind !== 'pmtiles' || !given.file) return;
        if ((await store.findFiles(db, [given.file])).length === 0)
          throw refuseFields({ field: 'file', rule: 'notFound' });
        await refuseMoved(after, { file: given.file });
      },
    );

  /** The archive a row is about to name must still be there when it is written. */
  async function holdFile(tx: Transaction, name: string | null | undefined): Promise<void> {
    if (!name) return;
    await lockFile(tx, name);
    if ((await store.findFiles(tx, [name])).length === 0) throw refuseFields({ field: 'file', rule: 'notFound' });
  }

  return {
    problems: {
      ofNew: ({ kind, ...body }: Sound<BodyOf<typeof createBaseMap>>): Promise<RuleProblem[]> =>
        kind === undefined ? Promise.resolve([]) : problemsOfForm(kind, undefined, body),
      async ofChange(
        id: number | undefined,
        { version: _version, ...body }: Sound<BodyOf<typeof updateBaseMap>>,
      ): Promise<RuleProblem[]> {
        const row = id === undefined ? undefined : await store.findById(db, id);
        return row ? problemsOfForm(row.kind, row, body) : [];
      },
    },

    async list(): Promise<ReplyOf<typeof listBaseMaps>> {
      const rows = await existing();
      const standard = defaultOf(rows);
      const data: PublicView[] = rows
        .filter((row) => row.is_enabled || row.id === standard)
        .map((row) => publicView(row, standard));
      return { data, recordsTotal: data.length };
    },

    async settings() {
      const rows = await existing();
      const kept = await store.findFiles(
        db,
        rows.flatMap(({ file }) => file ?? []),
      );
      const data = rows.map((row) =>
        settingsView(
          row,
          kept.find(({ name }) => name === row.file),
          defaultOf(rows),
        ),
      );
      return { data, recordsTotal: data.length, place: await store.middleOfSite(db) };
    },

    async create(ctx: Ctx, { kind, ...body }: BodyOf<typeof createBaseMap>): Promise<SettingsView> {
      const values = await settled(kind, undefined, body);
      const { id } = await ctx.change({ action: 'map.create', params: { kind, ...masked(body) } }, async (tx) => {
        await store.lockAll(tx);
        if ((await store.findAll(tx)).length >= mostMaps) throw refuse('tooLarge', { most: mostMaps });
        await holdFile(tx, values.file);
        if (values.is_default) await store.takeDefault(tx, 0);
        return store.insert(tx, kind, values);
      });
      return view(id);
    },

    async update(ctx: Ctx, id: number, { version, ...body }: BodyOf<typeof updateBaseMap>): Promise<SettingsView> {
      const row = await store.findById(db, id);
      if (!row) throw refuse('notFound');
      const values = await settled(row.kind as BaseMapKind, row, body);
      const unused = await ctx.change({ action: 'map.update', params: { id, ...masked(body) } }, async (tx) => {
        await store.lockAll(tx);
        const now = await store.findById(tx, id);
        if (!now) throw refuse('notFound');
        // Judged against what was read before the lock: whoever changed it meanwhile is asked again.
        if (now.version !== (version ?? row.version)) throw refuse('changedMeanwhile');
        await holdFile(tx, values.file);
        if (values.is_default) await store.takeDefault(tx, id);
        const updated = await store.update(tx, id, values);
        return now.file !== null && updated.file !== now.file ? store.forgetFile(tx, now.file) : [];
      });
      await removeUnkept({ db, files }, unused);
      return view(id);
    },

    async remove(ctx: Ctx, id: number): Promise<void> {
      const unused = await ctx.change({ action: 'map.delete' }, async (tx) => {
        await store.lockAll(tx);
        const row = await store.findById(tx, id);
        if (!row) throw refuse('notFound');
        if (!asksService(row.kind)) throw refuse('builtInBaseMap');
        await store.remove(tx, id);
        return row.file === null ? [] : store.forgetFile(tx, row.file);
      });
      await removeUnkept({ db, files }, unused);
    },

    order: (ctx: Ctx, ids: readonly number[]): Promise<void> =>
      ctx.change({ action: 'map.order' }, async (tx) => {
        await store.lockAll(tx);
        const known = new Set((await store.findAll(tx)).map(({ id }) => id));
        if (ids.some((id) => !known.has(id))) throw refuse('notFound');
        await store.order(tx, ids);
      }),

    /** Keeps an archive; what is none is refused by its first bytes. */
    async upload(ctx: Ctx, fileName: string): Promise<ReplyOf<typeof uploadBaseMapFile>> {
      const { name, bytes } = await files.receive(archiveBytes(ctx.upload ?? empty()));
      let facts: ArchiveFacts;
      try {
        facts = await readArchive({ file: name }, 'file');
      } catch (thrown) {
        await removeUnkept({ db, files }, [name]);
        throw thrown;
      }
      const { row, unused } = await ctx.change({ action: 'map.upload', params: { fileName, bytes } }, async (tx) => {
        await store.lockAll(tx);
        await lockFile(tx, name);
        // Somebody who had the same bytes may have taken them away since they came.
        if (!(await files.has(name))) throw new Error('an archive went while its row was written');
        const { format, minZoom, maxZoom, bounds, attribution } = facts;
        const noted = await store.noteFile(tx, {
          name,
          file_name: fileName,
          bytes,
          format,
          min_zoom: minZoom,
          max_zoom: maxZoom,
          bounds: JSON.stringify(bounds),
          attribution,
        });
        return { row: noted, unused: await store.forgetUnused(tx, new Date(clock.now().getTime() - dayMs)) };
      });
      await removeUnkept({ db, files }, unused);
      return fileView(row);
    },

    /** Asks the service now, past everything that is kept, layer by layer. */
    async test({
      id,
      settings,
      longitude,
      latitude,
      zoom,
    }: BodyOf<typeof testBaseMap>): Promise<ReplyOf<typeof testBaseMap>> {
      const row = id === undefined ? undefined : await store.findById(db, id);
      if (id !== undefined && !row) throw refuse('notFound');
      const map = tried(row && askable(row), settings ?? {}, reachOf);
      const system = systemOf(map.kind, settings?.system ?? row?.system ?? 'WGS84');
      const [x, y] = fromWgs84(system as GeographicSystem, [longitude, latitude]);
      const tile = tileAt(x, y, zoom);
      const layers = await Promise.all(
        layersOf(map).map(async (_address, layer) => {
          const began = performance.now();
          const { address, status, bytes, contentType, kind, problem, detail } = await askTile(
            archives,
            map,
            layer,
            tile,
          );
          return {
            address,
            status,
            ms: Math.round(performance.now() - began),
            bytes: bytes?.length ?? null,
            contentType,
            width: kind?.width ?? null,
            height: kind?.height ?? null,
            problem,
            detail,
            picture:
              kind?.type.startsWith('image/') && bytes && bytes.length <= 512 * 1024
                ? `data:${kind.type};base64,${bytes.toString('base64')}`
                : null,
          };
        }),
      );
      return { at: clock.now().toISOString(), system, stated: { longitude: x, latitude: y }, tile, layers };
    },

    async tile({ id, layer, z, x, y }: ParamsOf<typeof getTile>) {
      const row = await store.findById(db, id);
      if (!row?.is_enabled || !asksService(row.kind) || x >= 2 ** z || y >= 2 ** z) throw refuse('notFound');
      const { bytes, kind } = await tiles.get(askable(row), `${row.id}.${row.version}`, layer, { z, x, y });
      if (!bytes || !kind) throw refuse('notFound');
      return { name: `${y}.${kind.extension}`, type: kind.type, content: bytes };
    },
  };
}

/** Stored settings with what a form says instead. A key goes to no other host than the one it was given for. */
function tried(
  stored: Askable | undefined,
  given: Given & { kind?: string },
  reachOf: (allowPrivate: boolean) => Reach,
): Askable {
  const kind = stored?.kind ?? given.kind ?? 'xyz';
  const base: Askable = stored ?? {
    kind,
    style: null,
    address: null,
    file: null,
    key: null,
    format: 'raster',
    minZoom: 0,
    maxZoom: baseMapLimits.zoom,
    reach: 'public',
  };
  const moved = given.address !== undefined && hostOf(given.address) !== hostOf(base.address);
  const { style = base.style, file = base.file, minZoom = base.minZoom, maxZoom = base.maxZoom } = given;
  const reach = given.allowPrivate === undefined ? base.reach : reachOf(given.allowPrivate);
  return {
    ...base,
    style,
    file,
    minZoom,
    maxZoom,
    reach,
    address: given.address === undefined ? base.address : given.address?.trim() || null,
    key: given.key !== undefined ? given.key?.trim() || null : moved ? null : base.key,
  };
}

const masked = ({ key, ...rest }: Given): object =>
  key === undefined ? rest : { ...rest, key: key === null ? null : '***' };

async function* empty(): AsyncGenerator<Uint8Array> {
  /* Nothing was sent. */
}

/** The bytes as they come; refused at once when they are no PMTiles archive of version 3. */
async function* archiveBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head.length < 8) {
      head = Buffer.concat([head, chunk]).subarray(0, 8);
      if (head.length === 8) refuseOther(head);
    }
    yield chunk;
  }
  if (head.length < 8) refuseOther(head);
}

function refuseOther(head: Buffer): void {
  if (head.toString('latin1', 0, 7) !== 'PMTiles' || head[7] !== 3)
    throw refuse('noMapArchive', { reason: 'PMTiles 3' }, { fields: [{ field: 'file', rule: 'invalid' }] });
}
