import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** A layout of archives that an older program does not understand gets the next number. */
export const archiveFormat = 1;

const Table = Type.Object({
  name: Type.String(),
  /** Those that are stored; computed ones compute themselves again. */
  columns: Type.Array(Type.String()),
  /** A part of a table that is cut by time: of which, and what of it. */
  partOf: Type.Union([Type.Null(), Type.Object({ parent: Type.String(), bound: Type.String() })]),
});
export type ArchivedTable = Static<typeof Table>;

/** The first entry of an archive: what it is of, and what a target must fit. */
export const Manifest = Type.Object({
  format: Type.Integer(),
  program: Type.String(),
  /** Everything that was acknowledged before this moment is in; ISO 8601, by the clock of the database. */
  takenAt: Type.String(),
  migrations: Type.Array(Type.Object({ number: Type.Integer(), name: Type.String(), checksum: Type.String() })),
  /** Where each log's chain ended, as verify-log prints it. */
  heads: Type.Array(Type.String()),
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String(), called: Type.Boolean() })),
  /** Of the site's key: what tells it from others, and whether it lies in this archive. Null: the site has none yet. */
  key: Type.Union([Type.Null(), Type.Object({ fingerprint: Type.String(), included: Type.Boolean() })]),
});
export type Manifest = Static<typeof Manifest>;

/** The last entry of an archive: without it, or with other figures than what came before it, the archive is damaged. */
export const Contents = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer()),
  files: Type.Integer(),
  fileBytes: Type.Integer(),
  /** Files that rows name and that were not there. */
  missingFiles: Type.Integer(),
});
export type Contents = Static<typeof Contents>;

const [manifest, contents] = [Compile(Manifest), Compile(Contents)];

/** Reads the first entry; undefined when it is none. */
export const readManifest = (text: string): Manifest | undefined => checked(manifest, text);
export const readContents = (text: string): Contents | undefined => checked(contents, text);

function checked<T>(validator: { Check(value: unknown): value is T }, text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return validator.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
