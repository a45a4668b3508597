import { Type } from 'typebox';
import { IdParams, Nullable, Page, Size, Timestamp, listOf, route, xlsx } from '../route.ts';
import { Task } from '../desk/tasks.ts';

/**
 * Devices out of files: upload, say which column is what, look at every row's outcome before anything is written,
 * write, undo. The looking and the writing are tasks (`/api/v1/tasks`), begun here.
 */

/** Where a field's value comes from: a column of the file (0 is the first), or the same value in every row. */
const FieldSource = Type.Object({
  column: Type.Optional(Type.Integer({ minimum: 0, maximum: 499 })),
  value: Type.Optional(Type.String({ maxLength: 500 })),
});

export const ImportPlan = Type.Object({
  /** By the field's wire name. A field that is not named stays as it is; an empty cell empties it. */
  fields: Type.Record(Type.String({ maxLength: 64 }), FieldSource),
  /** Columns that are left out on purpose; every column is either used or here. */
  ignored: Type.Array(Type.Integer({ minimum: 0, maximum: 499 }), { maxItems: 500 }),
  /**
   * `WGS84`, `GCJ02`, `BD09` or `EPSG:<code>`, of the columns for longitude (east–west) and latitude (north–south); of
   * a system that counts to the west or the south the numbers as it counts them. A suggestion leaves it empty where the
   * numbers are no degrees: somebody has to say it.
   */
  system: Type.String({ maxLength: 20 }),
  /** What a word of the file means in a field that has options, per field; an empty text leaves the field empty. */
  words: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 64 })),
  ),
  /** What becomes of codes that are registered already. */
  existing: Type.Union([Type.Literal('update'), Type.Literal('refuse')]),
  /** Roads that are not registered yet are made with the import. */
  createRoads: Type.Boolean(),
  /** Positions far from all others were looked at and are right. */
  acceptFar: Type.Boolean(),
  /** Columns whose numbers have a comma before their decimals (`-828652,52`); absent: none. */
  decimalCommas: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 499 }), { maxItems: 500 })),
  /**
   * The file as a whole lies where the coordinate system is not used, or far from the register, and was looked at and
   * is right.
   */
  acceptPlace: Type.Optional(Type.Boolean()),
});

const Counts = Type.Object({
  new: Type.Integer(),
  update: Type.Integer(),
  unchanged: Type.Integer(),
  error: Type.Integer(),
});
const ImportState = Type.Union([
  Type.Literal('uploaded'),
  Type.Literal('checked'),
  Type.Literal('applied'),
  Type.Literal('undone'),
]);
/**
 * `decimals` says by which sign the column's numbers have decimals, when all that have any agree; `unclear`: each could
 * be thousands too (`1,234`).
 */
const Column = Type.Object({
  title: Type.String(),
  samples: Type.Array(Type.String()),
  decimals: Type.Optional(Type.Union([Type.Literal('point'), Type.Literal('comma'), Type.Literal('unclear')])),
});

/**
 * How a text file is to be read: an encoding by its name on the web (`big5`, `windows-1250` …) and the sign between
 * cells.
 */
const textChoice = {
  encoding: Type.Optional(Type.String({ maxLength: 20 })),
  delimiter: Type.Optional(Type.Union([Type.Literal(','), Type.Literal(';'), Type.Literal('\t'), Type.Literal('|')])),
};

/** Where the file as a whole lies, when that is doubtful; a person answers by `acceptPlace`. */
const PlaceQuestion = Type.Object({
  /**
   * `outsideSystem`: where the system is not used; `farFromRegister`: more than 500 km from every device of the
   * register.
   */
  kind: Type.Union([Type.Literal('outsideSystem'), Type.Literal('farFromRegister')]),
  /** Rows outside, or rows with a position. */
  rows: Type.Integer(),
  /** Kilometres to the nearest device of the register. */
  km: Nullable(Type.Integer()),
});

const listed = {
  id: Type.Integer(),
  family: Type.String(),
  state: ImportState,
  fileName: Type.String(),
  bytes: Type.Integer(),
  counts: Nullable(Counts),
  /** The check, writing or undoing that was begun last. */
  task: Nullable(Task),
  accountName: Nullable(Type.String()),
  createdAt: Timestamp,
  appliedAt: Nullable(Timestamp),
  undoneAt: Nullable(Timestamp),
  /** Rows that undoing left as they are, since somebody changed them after the import. */
  notUndone: Nullable(Type.Integer()),
  /** When its rows were taken away: it can no longer be undone. Absent: they are there. */
  rowsRemovedAt: Type.Optional(Timestamp),
};
/** An import as the list has it: what became of it. */
export const ListedImport = Type.Object(listed);
/** One import, with what its file holds and what was said of it. */
export const Import = Type.Object({
  ...listed,
  format: Type.Object({
    kind: Type.String(),
    encoding: Nullable(Type.String()),
    delimiter: Nullable(Type.String()),
    sheet: Nullable(Type.String()),
    sheets: Type.Array(Type.String()),
    /** The encoding is beyond doubt, by the bytes or because somebody chose it. */
    sure: Type.Boolean(),
    /** The same line of a text file in every encoding that can be chosen, the likeliest first. */
    candidates: Type.Array(Type.Object({ encoding: Type.String(), sample: Type.String() })),
  }),
  columns: Type.Array(Column),
  /** What was said last, or what the headings suggest. */
  plan: ImportPlan,
  /** The plan was kept from an earlier file with the same headings. */
  remembered: Type.Boolean(),
  /** What a person has to answer before anything can be written. */
  questions: Type.Array(PlaceQuestion),
  /** Words of the file that are no option of their field, with how many rows say them. */
  unknownWords: Type.Record(Type.String(), Type.Array(Type.Object({ word: Type.String(), rows: Type.Integer() }))),
  /** Roads that will be made. */
  newRoads: Type.Array(Type.Object({ name: Type.String(), rows: Type.Integer() })),
});

const Outcome = Type.Union([
  Type.Literal('new'),
  Type.Literal('update'),
  Type.Literal('unchanged'),
  Type.Literal('error'),
]);
export const ImportRow = Type.Object({
  row: Type.Integer(),
  outcome: Outcome,
  code: Nullable(Type.String()),
  deviceId: Nullable(Type.Integer()),
  /** Every problem of the row at once, in the caller's language. */
  problems: Type.Array(
    Type.Object({ field: Type.String(), rule: Type.String(), message: Type.String(), text: Nullable(Type.String()) }),
  ),
  /** What an update changes, by wire name: what the register has, what the file says. */
  changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  undone: Nullable(Type.Boolean()),
});

/** Bytes of a file. */
export const mostImportBytes = 64 * 1024 * 1024;

const RowNumber = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const tag = 'imports';
const access = 'device.import';

export const uploadImport = route({
  method: 'POST',
  path: '/api/v1/imports',
  limits: { bytes: mostImportBytes },
  tag,
  access,
  action: 'device.import.upload',
  areaScoped: true,
  status: 201,
  encoding: 'bytes',
  summary:
    'Takes a file (.xlsx or CSV, at most 64 MB, as application/octet-stream) and tells its columns with a suggested plan.',
  query: Type.Object({
    family: Type.String({ maxLength: 64 }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    ...textChoice,
  }),
  reply: Import,
});
export const listImports = route({
  method: 'GET',
  path: '/api/v1/imports',
  tag,
  access,
  areaScoped: true,
  summary:
    'The caller’s own imports, newest first; an administrator sees everybody’s. What their files hold is told of each alone.',
  query: Type.Object({
    family: Type.Optional(Type.String({ maxLength: 64 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size(100)),
  }),
  reply: listOf(ListedImport),
});
export const getImport = route({
  method: 'GET',
  path: '/api/v1/imports/:id',
  tag,
  access,
  areaScoped: true,
  summary: 'One import.',
  params: IdParams,
  reply: Import,
});
export const chooseSheet = route({
  method: 'PUT',
  path: '/api/v1/imports/:id/sheet',
  tag,
  access,
  action: 'device.import.sheet',
  areaScoped: true,
  summary: 'Reads another sheet of the workbook.',
  params: IdParams,
  body: Type.Object({ sheet: Type.String({ maxLength: 64 }) }),
  reply: Import,
});
export const chooseText = route({
  method: 'PUT',
  path: '/api/v1/imports/:id/text',
  tag,
  access,
  action: 'device.import.text',
  areaScoped: true,
  summary: 'Reads a text file by another encoding or delimiter; its columns and the suggested plan are new then.',
  params: IdParams,
  body: Type.Object(textChoice),
  reply: Import,
});
export const checkImport = route({
  method: 'POST',
  path: '/api/v1/imports/:id/check',
  limits: { bytes: 2 * 1024 * 1024, entries: 20_000 },
  tag,
  access,
  action: 'device.import.check',
  areaScoped: true,
  status: 201,
  summary: 'Begins the look at every row by this plan; nothing is written to the register.',
  params: IdParams,
  body: ImportPlan,
  reply: Import,
});
export const listImportPins = route({
  method: 'GET',
  path: '/api/v1/imports/:id/pins',
  tag,
  access,
  areaScoped: true,
  summary: 'Three rows of the file on the map by a coordinate system, before anything is saved.',
  params: IdParams,
  query: Type.Object({
    /** Absent: not chosen yet; then there are only suggestions. */
    system: Type.Optional(Type.String({ maxLength: 20 })),
    x: Type.Integer({ minimum: 0, maximum: 499 }),
    y: Type.Integer({ minimum: 0, maximum: 499 }),
    /** Decimals of both columns follow a comma. */
    commas: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    pins: Type.Array(
      Type.Object({
        row: Type.Integer(),
        label: Type.String(),
        x: Type.String(),
        y: Type.String(),
        longitude: Nullable(Type.Number()),
        latitude: Nullable(Type.Number()),
      }),
    ),
    /**
     * Systems in which the numbers lie where the system is used, the likeliest first; `swapped`: with the two columns
     * the other way round. `km` to the nearest device of the register.
     */
    fits: Type.Array(
      Type.Object({
        system: Type.String(),
        name: Nullable(Type.String()),
        swapped: Type.Boolean(),
        longitude: Type.Number(),
        latitude: Type.Number(),
        km: Nullable(Type.Integer()),
      }),
    ),
    /** What the chosen system is called, where it is known by its EPSG code. */
    name: Nullable(Type.String()),
    /** What is doubtful of the chosen system. */
    questions: Type.Array(PlaceQuestion),
    /**
     * Metres by which positions of this system may be off, where it is more than 1: its tie to WGS-84 is not known
     * better.
     */
    accuracy: Nullable(Type.Number()),
  }),
});
export const listImportRows = route({
  method: 'GET',
  path: '/api/v1/imports/:id/rows',
  tag,
  access,
  areaScoped: true,
  summary: 'Rows by their outcome, in the order of the file.',
  params: IdParams,
  query: Type.Object({
    outcome: Type.Optional(Outcome),
    rule: Type.Optional(Type.String({ maxLength: 64 })),
    /** With `rule`: the field that broke it. */
    field: Type.Optional(Type.String({ maxLength: 64 })),
    notUndone: Type.Optional(Type.Boolean()),
    /** Rows after this one: next pages at any depth cost the same. */
    after: Type.Optional(RowNumber),
    size: Type.Optional(Size(500)),
  }),
  reply: Type.Object({
    data: Type.Array(ImportRow),
    recordsTotal: Type.Integer(),
    problems: Type.Array(
      Type.Object({ field: Type.String(), rule: Type.String(), message: Type.String(), rows: Type.Integer() }),
    ),
  }),
});
export const applyImport = route({
  method: 'POST',
  path: '/api/v1/imports/:id/apply',
  tag,
  access,
  action: 'device.import',
  areaScoped: true,
  status: 201,
  summary: 'Begins the writing: the valid rows only, or all or nothing. One transaction either way.',
  params: IdParams,
  body: Type.Object({ rows: Type.Union([Type.Literal('valid'), Type.Literal('all')]) }),
  reply: Import,
});
export const undoImport = route({
  method: 'POST',
  path: '/api/v1/imports/:id/undo',
  tag,
  access,
  action: 'device.import.undo',
  areaScoped: true,
  status: 201,
  summary: 'Begins the undoing: rows nobody touched since are as before, the others are listed.',
  params: IdParams,
  reply: Import,
});
export const deleteImport = route({
  method: 'DELETE',
  path: '/api/v1/imports/:id',
  tag,
  access,
  action: 'device.import.forget',
  areaScoped: true,
  status: 204,
  summary: 'Forgets an import and its file; what it wrote stays.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
export const getImportTemplate = route({
  method: 'GET',
  path: '/api/v1/import-templates/:family',
  tag,
  access,
  replyKind: 'file',
  sends: [xlsx],
  summary: 'An empty workbook with the family’s columns, in the caller’s language, with drop-downs.',
  params: Type.Object({ family: Type.String({ maxLength: 64 }) }),
  reply: Type.Unknown(),
});
export const listCoordinateSystems = route({
  method: 'GET',
  path: '/api/v1/coordinate-systems',
  tag,
  access,
  summary: 'The systems offered by name.',
  reply: Type.Object({ data: Type.Array(Type.String()) }),
});
const Mapping = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  headings: Type.Array(Type.String()),
  fields: Type.Array(Type.String()),
  system: Type.String(),
  encoding: Nullable(Type.String()),
  usedAt: Timestamp,
});
export const listImportMappings = route({
  method: 'GET',
  path: '/api/v1/import-mappings',
  tag,
  access,
  summary:
    'What the caller said of files by their headings, kept for the next file with the same ones; last used first.',
  query: Type.Object({ family: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: listOf(Mapping),
});
export const deleteImportMapping = route({
  method: 'DELETE',
  path: '/api/v1/import-mappings/:id',
  tag,
  access,
  action: 'device.import.forgetMapping',
  status: 204,
  summary: 'Forgets one; the next file with these headings is guessed again.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
