import { Type } from 'typebox';
import { IdParams, Nullable, Page, Size, Timestamp, listOf, route, xlsx } from '../route.ts';
import { Task } from '../desk/tasks.ts';

/**
 * Imports of devices from files: upload, map the columns, check every row before anything is written, write, undo.
 * Checking and writing are tasks (`/api/v1/tasks`) that begin here.
 */

/** The source of a field's value: a column of the file (0 is the first), or one value for every row. */
const FieldSource = Type.Object({
  column: Type.Optional(Type.Integer({ minimum: 0, maximum: 499 })),
  value: Type.Optional(Type.String({ maxLength: 500 })),
});

export const ImportPlan = Type.Object({
  /** By the field's wire name. A field without an entry keeps its value; an empty cell empties it. */
  fields: Type.Record(Type.String({ maxLength: 64 }), FieldSource),
  /** Columns left out on purpose; every column is either used or listed here. */
  ignored: Type.Array(Type.Integer({ minimum: 0, maximum: 499 }), { maxItems: 500 }),
  /**
   * `WGS84`, `GCJ02`, `BD09` or `EPSG:<code>`, for the columns of longitude (east–west) and latitude (north–south). A
   * system that counts to the west or the south keeps its own signs. Empty in a suggestion if the numbers are no
   * degrees: a person has to choose.
   */
  system: Type.String({ maxLength: 20 }),
  /** For each field with options: the option that a word of the file means. An empty text leaves the field empty. */
  words: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 64 })),
  ),
  /** What the import does with codes that are registered already. */
  existing: Type.Union([Type.Literal('update'), Type.Literal('refuse')]),
  /** The import creates roads that are not registered yet. */
  createRoads: Type.Boolean(),
  /** A person has checked the positions that are far from all others. */
  acceptFar: Type.Boolean(),
  /** Columns with a decimal comma (`-828652,52`); absent: none. */
  decimalCommas: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 499 }), { maxItems: 500 })),
  /**
   * A person has checked that the file as a whole may lie outside the area of its coordinate system, or far from the
   * register.
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
 * `decimals` is the decimal sign of the column, if all numbers with one agree. `unclear`: every such sign could also
 * separate thousands (`1,234`).
 */
const Column = Type.Object({
  title: Type.String(),
  samples: Type.Array(Type.String()),
  decimals: Type.Optional(Type.Union([Type.Literal('point'), Type.Literal('comma'), Type.Literal('unclear')])),
});

/** How a text file is read: an encoding by its name on the web (`big5`, `windows-1250` …), and the delimiter. */
const textChoice = {
  encoding: Type.Optional(Type.String({ maxLength: 20 })),
  delimiter: Type.Optional(Type.Union([Type.Literal(','), Type.Literal(';'), Type.Literal('\t'), Type.Literal('|')])),
};

/** A doubt about the place of the whole file; a person answers with `acceptPlace`. */
const PlaceQuestion = Type.Object({
  /**
   * `outsideSystem`: outside the area of the coordinate system. `farFromRegister`: more than 500 km from every device
   * of the register.
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
  /** The latest check, writing or undo. */
  task: Nullable(Task),
  accountName: Nullable(Type.String()),
  createdAt: Timestamp,
  appliedAt: Nullable(Timestamp),
  undoneAt: Nullable(Timestamp),
  /** Rows that the undo left, because they were edited after the import. */
  notUndone: Nullable(Type.Integer()),
  /** When its rows were deleted: it can no longer be undone. Absent: the rows exist. */
  rowsRemovedAt: Type.Optional(Timestamp),
};
/** An import in the list, with its result. */
export const ListedImport = Type.Object(listed);
/** One import, with the contents of its file and its plan. */
export const Import = Type.Object({
  ...listed,
  format: Type.Object({
    kind: Type.String(),
    encoding: Nullable(Type.String()),
    delimiter: Nullable(Type.String()),
    sheet: Nullable(Type.String()),
    sheets: Type.Array(Type.String()),
    /** The encoding is certain: by the bytes, or because a person chose it. */
    sure: Type.Boolean(),
    /** One line of a text file in every encoding that can be chosen, the likeliest first. */
    candidates: Type.Array(Type.Object({ encoding: Type.String(), sample: Type.String() })),
  }),
  columns: Type.Array(Column),
  /** The latest plan of a person, or a suggestion by the headings. */
  plan: ImportPlan,
  /** The plan comes from an earlier file with the same headings. */
  remembered: Type.Boolean(),
  /** Questions that a person has to answer before anything is written. */
  questions: Type.Array(PlaceQuestion),
  /** Words of the file that are no option of their field, with their number of rows. */
  unknownWords: Type.Record(Type.String(), Type.Array(Type.Object({ word: Type.String(), rows: Type.Integer() }))),
  /** Roads that the import will create. */
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
  /** Changes of an update by wire name: the value in the register, the value in the file. */
  changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  undone: Nullable(Type.Boolean()),
});

/** Largest file, bytes. */
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
  dryRun: 'keeps a file',
  summary:
    'Takes a file (.xlsx or CSV, at most 64 MB, as application/octet-stream) and returns its columns with a suggested plan.',
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
    'The caller’s own imports, newest first; an administrator sees those of every account. Only the call for one import returns the contents of its file.',
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
  dryRun: 'reads a file',
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
  dryRun: 'reads a file',
  summary: 'Reads a text file with another encoding or delimiter, which renews its columns and the suggested plan.',
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
  dryRun: 'makes a task',
  summary: 'Begins the check of every row by this plan; nothing is written to the register.',
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
  summary: 'Positions of three rows of the file in a coordinate system, before anything is saved.',
  params: IdParams,
  query: Type.Object({
    /** Absent: none is chosen yet, and the answer has only suggestions. */
    system: Type.Optional(Type.String({ maxLength: 20 })),
    x: Type.Integer({ minimum: 0, maximum: 499 }),
    y: Type.Integer({ minimum: 0, maximum: 499 }),
    /** Both columns have a decimal comma. */
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
     * Systems whose area contains the numbers, the likeliest first. `swapped`: with the two columns exchanged. `km`:
     * distance to the nearest device of the register.
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
    /** The name of the chosen system, if its EPSG code is known. */
    name: Nullable(Type.String()),
    /** Doubts about the chosen system. */
    questions: Type.Array(PlaceQuestion),
    /**
     * Possible error of positions in this system in metres, if above 1, because its relation to WGS-84 is not known
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
    /** Rows after this one: a page at any depth costs the same. */
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
  dryRun: 'makes a task; the check of the import says what it would do',
  summary: 'Begins the writing: only the valid rows, or all or nothing. Either way it is one transaction.',
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
  dryRun: 'makes a task',
  summary: 'Begins the undo: rows without later edits are restored, the others are listed.',
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
  dryRun: 'takes away a file',
  summary: 'Deletes an import and its file; the devices that it wrote stay.',
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
  summary: 'The coordinate systems offered by name.',
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
    'The caller’s plans by the headings of their files, kept for the next file with the same headings; last used first.',
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
  dryRun: 'changes no device',
  summary: 'Deletes one; the next file with these headings gets a new suggestion.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
