import { Type, type TSchema } from 'typebox';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { Id, Nullable, Page, Size, Timestamp, Version } from '../route.ts';

/**
 * The draft and the immutable versions of a plan: what energy-saving schemes and work parameter templates have in
 * common. `version` is that of the row (the second saver of a draft is refused), `number` counts frozen versions.
 */

export const VersionParams = Type.Object({ id: Id, number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
const { planCode, planName, versionNote } = planLimits;
export const Code = Type.String({ minLength: planCode.min, maxLength: planCode.max });
export const Name = Type.String({ minLength: planName.min, maxLength: planName.max });
export const Note = Type.Optional(Nullable(Type.String({ maxLength: versionNote.max })));

/** Two hashes that look alike: that of a version, and that of the plan which a device runs. */
export const VersionHash = Type.String({
  description:
    'Version hash: the first 12 hex digits of `contentHash`, the SHA-256 of the content of a version. The same for every lamp. No device reports it, and it is not to be compared with a `planHash`.',
});
export const PlanHash = Type.String({
  description:
    'Plan hash: 12 hex digits of the plan as this one device is sent it, `plan.hash` in its settings message and `planHash` in what it reports. It covers the place of the lamp in its row, exceptions and the days of the month: it differs between lamps with the same version, and is not to be compared with the hash of a version.',
});

/** `workAreaId` null: for all work areas; only administrators make and change such. */
export const NewItem = { code: Code, name: Name, workAreaId: Nullable(Id) } as const;
/** The row's version as the caller read it; an outdated one is 409. */
export const RowVersion = Type.Object({ version: Version });

export const listQuery = <const States extends readonly [string, ...string[]]>(states: States) =>
  Type.Object({
    /** Part of the code or the name. */
    q: Type.Optional(Type.String({ maxLength: 60 })),
    state: Type.Optional(Type.Enum(states)),
    /** By code if absent. */
    sort: Type.Optional(Type.String({ pattern: '^(code|name|updatedAt)(,(asc|desc))?$', maxLength: 20 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size(200)),
  });

/** Lamps of one version, counted now. */
const LampCounts = {
  /** They follow it on the lighting day of now. */
  following: Type.Integer(),
  /** It was sent to them, and they have not reported it. */
  unreported: Type.Integer(),
  /** They reported another one, or behaved otherwise. */
  diverged: Type.Integer(),
} as const;

const Newest = Type.Object({
  number: Type.Integer(),
  hash: VersionHash,
  at: Timestamp,
  by: Type.String(),
});

/** One row of a list. */
export const itemRow = <const States extends readonly [string, ...string[]]>(states: States) => ({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  workAreaId: Nullable(Type.Integer()),
  workAreaName: Nullable(Type.String()),
  /** `draft`: never frozen. `frozen`: no lamp follows it. */
  state: Type.Enum(states),
  version: Type.Integer(),
  /** The draft that differs from the newest version; null: none. `basedOn`: the number it began from. */
  draft: Nullable(Type.Object({ by: Type.String(), at: Timestamp, basedOn: Nullable(Type.Integer()) })),
  newest: Nullable(Newest),
  lamps: Type.Object({
    ...LampCounts,
    /** Only versions that lamps follow, newest first. */
    byVersion: Type.Array(Type.Object({ number: Type.Integer(), following: Type.Integer() })),
  }),
  /** Whether the caller may change it: its area, and the permission. */
  editable: Type.Boolean(),
  /** Nothing refers to it: it may be deleted. */
  deletable: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** A row of the list of versions, newest first. */
export const VersionRow = Type.Object({
  number: Type.Integer(),
  hash: VersionHash,
  note: Nullable(Type.String()),
  basedOn: Nullable(Type.Integer()),
  by: Type.String(),
  at: Timestamp,
  ...LampCounts,
});

/** One version whole. `contentHash`: sha-256 of the canonical JSON of the content, hex; `hash` is its beginning. */
export const versionOf = <C extends TSchema>(content: C) =>
  Type.Interface([VersionRow], { contentHash: Type.String(), content });

/**
 * What a refused draft (409 `changedMeanwhile`) carries as `difference`: how the stored content (`theirs`) and the sent
 * one (`mine`) differ from `base`, the content of the row's version that the caller began from. Paths are those of
 * field problems; a list of another length is one path.
 */
export const draftDifference = <C extends TSchema>(content: C) =>
  Type.Object({
    /** Version of the row now, and who saved it when. */
    version: Type.Integer(),
    by: Nullable(Type.String()),
    at: Nullable(Timestamp),
    /** Null: there was no content, or it is no longer kept. */
    base: Nullable(content),
    theirs: Nullable(content),
    mine: content,
    onlyTheirs: Type.Array(Type.String()),
    onlyMine: Type.Array(Type.String()),
    /** Changed by both, differently. */
    both: Type.Array(Type.String()),
  });

/** A version as a file; `format` names what it holds. The same version gives the same bytes. */
export const fileOf = <const F extends string, C extends TSchema>(format: F, content: C) =>
  Type.Object({
    format: Type.Literal(format),
    code: Type.String(),
    name: Type.String(),
    number: Type.Integer(),
    note: Nullable(Type.String()),
    contentHash: Type.String(),
    content,
  });

/** Contents whose shape the catalogue declares; the API's document describes them by these names. */
export const contentNames = ['SchemeContent', 'TemplateContent', 'ScheduleSettings'] as const;
export type ContentName = (typeof contentNames)[number];

/** A content that the catalogue checks whole: every problem by its path. */
export const givenContent = <Content>(title: ContentName) =>
  Type.Unsafe<Content>({ type: 'object', additionalProperties: true, title });
/** A content holds up to 60 rules and 8 programmes. */
export const contentLimits = { bytes: 256 * 1024, entries: 8000 } as const;
