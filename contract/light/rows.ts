import { Type } from 'typebox';
import { rowSides } from '../../catalogue/lighting/rows.ts';
import { Id, Nullable, Page, Size, Version, listOf, route } from '../route.ts';

/**
 * Rows of poles along a road, a side each: what alternating patterns count. Lamps of one pole share its position. A pole
 * without a row is lit in every pattern.
 */

const tag = 'rows';
/** Poles of one road in one call. */
export const mostPoles = 20_000;
const Side = Type.Enum(rowSides);

const Pole = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  /** As the register has it; a row made by hand may stand on another side. */
  roadside: Side,
  junction: Type.Boolean(),
  /** Lit in every pattern, by hand. */
  keep: Type.Boolean(),
  /** Why it is lit in every pattern; null: it is not, or it is in no row. */
  kept: Nullable(Type.Enum(['short', 'end', 'junction', 'hand'] as const)),
  lamps: Type.Array(Type.Object({ id: Type.Integer(), code: Type.String() })),
});

export const RoadRows = Type.Object({
  road: Type.Object({
    id: Type.Integer(),
    code: Type.String(),
    name: Type.String(),
    workAreaId: Type.Integer(),
  }),
  /** 0: they were never made. */
  version: Type.Integer(),
  rows: Type.Array(
    Type.Object({
      side: Side,
      source: Type.Enum(['auto', 'hand'] as const),
      /** Who made it by hand. */
      checkedBy: Nullable(Type.String()),
      /** In order along the road, position 0 first. */
      poles: Type.Array(Pole),
    }),
  ),
  /** Poles in no row: without coordinates, or left out by hand. */
  unplaced: Type.Array(Pole),
});
/** `darkens`: lamps that are darker by their patterns at their new place, in one of the next nights. */
const ChangedRows = Type.Interface([RoadRows], { darkens: Type.Integer() });

export const getRows = route({
  method: 'GET',
  path: '/api/v1/rows',
  refuses: ['notFound'],
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'The rows of a road: its poles in order, each with its lamps and why it is always lit.',
  query: Type.Object({ roadId: Id }),
  reply: RoadRows,
});

export const listRowRoads = route({
  method: 'GET',
  path: '/api/v1/row-roads',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'Roads with poles: how many of them are in a row, in none, and in a row made by hand.',
  query: Type.Object({
    /** Part of the code or the name. */
    q: Type.Optional(Type.String({ maxLength: 60 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size(200)),
  }),
  reply: listOf(
    Type.Object({
      id: Type.Integer(),
      code: Type.String(),
      name: Type.String(),
      roadClass: Type.String(),
      workAreaId: Type.Integer(),
      poles: Type.Integer(),
      placed: Type.Integer(),
      unplaced: Type.Integer(),
      byHand: Type.Integer(),
    }),
  ),
});

const RoadParams = Type.Object({ roadId: Id });

export const orderRows = route({
  method: 'POST',
  path: '/api/v1/rows/:roadId/order',
  refuses: ['rowsDarken', 'rowsBelowFloor'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'row.order',
  areaScoped: true,
  summary:
    'Orders the poles of a road by their coordinates. Rows made by hand stay, unless `all`. An outdated `version` is 409. Refused where lamps get darker by it than an account may darken alone, or below the floor of their road: patterns are taken from them by a publication first.',
  params: RoadParams,
  body: Type.Object({ all: Type.Optional(Type.Boolean()), version: Type.Optional(Version) }),
  reply: ChangedRows,
});

export const putRows = route({
  method: 'PUT',
  path: '/api/v1/rows/:roadId',
  refuses: ['rowsDarken', 'rowsBelowFloor'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'row.order',
  areaScoped: true,
  limits: { bytes: 2 * 1024 * 1024, entries: 6 * mostPoles },
  summary:
    'The rows of a road by hand, all of them: poles in no row are left out. An outdated `version` is 409; every pole that is unknown, of another road or named twice is named.',
  params: RoadParams,
  body: Type.Object({
    version: Version,
    rows: Type.Array(Type.Object({ side: Side, poleIds: Type.Array(Id, { minItems: 1, maxItems: mostPoles }) }), {
      minItems: 1,
      maxItems: rowSides.length,
    }),
    /** Poles of these rows that are lit in every pattern. */
    keep: Type.Array(Id, { maxItems: mostPoles }),
  }),
  reply: ChangedRows,
});
