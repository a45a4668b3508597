import { Type } from 'typebox';
import type { SchemeContent as Content } from '../../catalogue/lighting/plan/scheme.ts';
import { planModes } from '../../catalogue/lighting/plan/programme.ts';
import { IdParams, Nullable, Version, listOf, route } from '../route.ts';
import { publicationBounds } from './publications.ts';
import {
  Code,
  Name,
  NewItem,
  Note,
  RowVersion,
  VersionParams,
  VersionRow,
  contentLimits,
  draftDifference,
  fileOf,
  givenContent,
  itemRow,
  listQuery,
  versionOf,
} from './versioned.ts';

/** Energy-saving schemes (节能方案): a draft that people edit, and immutable versions that are published. */

/** `draft`: never frozen. `frozen`: no lamp follows it. `withdrawn`: it cannot be published. */
export const schemeStates = ['draft', 'frozen', 'inUse', 'withdrawn'] as const;
/** What a file of a version calls its format. */
export const schemeFormat = 'lampyris-scheme/1';

const Content = givenContent<Content>('SchemeContent');

/** A period of a version below the floor of a road class without an exception; a publication to such roads is refused. */
export const FloorFinding = Type.Object({
  code: Type.Literal('belowFloor'),
  roadClass: Type.String(),
  /** Key of the programme, and the place of the period in it, from 0. */
  programme: Type.Integer(),
  period: Type.Integer(),
  /** Mean level of three neighbours of a row, percent. */
  level: Type.Number(),
  floor: Type.Number(),
});
const Findings = { findings: Type.Array(FloorFinding) } as const;

const SchemeRow = Type.Object({
  ...itemRow(schemeStates),
  /** Of the draft, else of the newest version; null: there is neither. */
  mode: Nullable(Type.Enum(planModes)),
});
/** What comes of a scheme that lamps follow, by plan and rated power. */
const Outlook = Type.Object({
  /** kWh of the lighting days of this month. `base`: as if all lamps followed the version before the newest in force. */
  month: Type.Object({
    kwh: Type.Number(),
    base: Nullable(Type.Object({ number: Type.Integer(), kwh: Type.Number() })),
  }),
  /** The next lighting day on which the calendar of the newest in force chooses another programme; null: none in a year. */
  nextChange: Nullable(Type.Object({ day: Type.String(), programme: Type.String() })),
});
/** `content`: the draft, else the newest version; null: there is neither. `findings` are those of the content. */
export const Scheme = Type.Interface([SchemeRow], { content: Nullable(Content), ...Findings });
export const SchemeVersion = Type.Interface([versionOf(Content)], Findings);
/** The member `difference` of a refused draft. */
export const SchemeDifference = draftDifference(Content);
export const SchemeFile = fileOf(schemeFormat, Content);

const tag = 'schemes';

export const listSchemes = route({
  method: 'GET',
  path: '/api/v1/schemes',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'Energy-saving schemes of the work areas that the caller sees, and those of all areas.',
  query: Type.Interface([listQuery(schemeStates)], {
    /** Whether the rows have their `outlook`. */
    outlook: Type.Optional(Type.Boolean()),
  }),
  reply: listOf(
    Type.Interface([SchemeRow], {
      /** Null: it was not asked for, or no lamp that the caller sees follows the scheme. */
      outlook: Nullable(Outlook),
    }),
  ),
});

export const getScheme = route({
  method: 'GET',
  path: '/api/v1/schemes/:id',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One scheme with the content of its draft, or of its newest version.',
  params: IdParams,
  reply: Scheme,
});

/** What kinds of places a scheme is published to; their lamps change. */
export const schemePlaceKinds = ['road', 'group', 'controller', 'workArea'] as const;
export const schemePlaceBounds = {
  places: 200,
  /** Ids of an answer: what one publication takes. */
  ids: publicationBounds.devices,
  /** Places are read by name while those before have fewer lamps together. */
  lamps: publicationBounds.scope,
} as const;

export const listSchemePlaces = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/places',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary:
    'Places to which the scheme was published where some lamps follow it now and others do not; the others by id.',
  params: IdParams,
  reply: listOf(
    Type.Object({
      kind: Type.Enum(schemePlaceKinds),
      id: Type.Integer(),
      name: Type.String(),
      following: Type.Integer(),
      /** Enabled lamps of the place that the caller sees and that follow another scheme, or none. */
      others: Type.Integer(),
      /** Their ids; none where an answer would have more than 20,000: places with the most others come first. */
      deviceIds: Type.Array(Type.Integer()),
    }),
  ),
});

export const createScheme = route({
  method: 'POST',
  path: '/api/v1/schemes',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.create',
  areaScoped: true,
  status: 201,
  summary: 'Creates a scheme without content. `workAreaId` null: for all areas, by administrators.',
  body: Type.Object(NewItem),
  reply: Scheme,
});

export const renameScheme = route({
  method: 'PUT',
  path: '/api/v1/schemes/:id',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.rename',
  areaScoped: true,
  summary: 'Changes code and name; an outdated `version` is 409.',
  params: IdParams,
  body: Type.Object({ version: Version, code: Type.Optional(Code), name: Type.Optional(Name) }),
  reply: Scheme,
});

export const deleteScheme = route({
  method: 'DELETE',
  path: '/api/v1/schemes/:id',
  refuses: ['onlyAdministrators', 'hasVersions'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.delete',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a scheme that was never frozen; one with versions stays and can be withdrawn.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const saveSchemeDraft = route({
  method: 'PUT',
  path: '/api/v1/schemes/:id/draft',
  refuses: ['onlyAdministrators'],
  limits: contentLimits,
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.draft',
  areaScoped: true,
  summary:
    'Saves the draft. An outdated `version` is 409 with `difference`: base, theirs, mine, and the paths that differ.',
  params: IdParams,
  body: Type.Object({ version: Version, content: Content }),
  reply: Scheme,
});

export const discardSchemeDraft = route({
  method: 'DELETE',
  path: '/api/v1/schemes/:id/draft',
  refuses: ['onlyAdministrators', 'noDraft', 'changedMeanwhile'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.discard',
  areaScoped: true,
  summary: 'Discards the draft: the newest version is the content again. An outdated `version` is 409.',
  params: IdParams,
  query: RowVersion,
  reply: Scheme,
});

export const freezeScheme = route({
  method: 'POST',
  path: '/api/v1/schemes/:id/versions',
  refuses: ['onlyAdministrators', 'noDraft'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.freeze',
  areaScoped: true,
  status: 201,
  summary: 'Freezes the draft into the next version, which never changes. An outdated `version` is 409.',
  params: IdParams,
  body: Type.Object({ version: Version, note: Note }),
  reply: SchemeVersion,
});

export const listSchemeVersions = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/versions',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'All versions of a scheme, newest first.',
  params: IdParams,
  reply: listOf(VersionRow),
});

export const getSchemeVersion = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/versions/:number',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One version of a scheme, with its content and what is below the floor of a road class.',
  params: VersionParams,
  reply: SchemeVersion,
});

export const getSchemeFile = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/versions/:number/file',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One version as a JSON file of the format `lampyris-scheme/1`, with the hash of its content.',
  params: VersionParams,
  reply: SchemeFile,
  replyKind: 'file',
  sends: ['application/json'],
});

export const getSchemeCalendarFile = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/versions/:number/calendar-file',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary:
    'The programmes of the next 400 lighting days for other calendars (.ics): an all-day event for each span of days with the same one. Holidays are those of the country of its work area.',
  params: VersionParams,
  reply: Type.Unknown(),
  replyKind: 'file',
  sends: ['text/calendar'],
});

export const getSchemePeriodsFile = route({
  method: 'GET',
  path: '/api/v1/schemes/:id/versions/:number/periods-file',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'The periods of its programmes as a workbook, in the language of the caller.',
  params: VersionParams,
  reply: Type.Unknown(),
  replyKind: 'file',
  sends: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
});

export const getSchemeSchema = route({
  method: 'GET',
  path: '/api/v1/scheme-file-schema',
  tag,
  access: 'session',
  summary: 'The JSON Schema of files of the format `lampyris-scheme/1`.',
  reply: Type.Record(Type.String(), Type.Unknown()),
});

export const importScheme = route({
  method: 'POST',
  path: '/api/v1/scheme-imports',
  refuses: ['onlyAdministrators'],
  limits: contentLimits,
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.import',
  areaScoped: true,
  status: 201,
  summary:
    'Creates a scheme whose draft is the content of a file. Code and name are those of the file unless given. Refused with every problem if the hash differs or something is unknown.',
  body: Type.Object({
    workAreaId: NewItem.workAreaId,
    code: Type.Optional(Code),
    name: Type.Optional(Name),
    file: Type.Object({}, { additionalProperties: true, description: 'As GET …/file gave it.' }),
  }),
  reply: Scheme,
});

export const withdrawScheme = route({
  method: 'POST',
  path: '/api/v1/schemes/:id/withdraw',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.withdraw',
  areaScoped: true,
  summary: 'Withdraws a scheme: it cannot be published; lamps that follow it go on, history stays.',
  params: IdParams,
  body: RowVersion,
  reply: Scheme,
});

export const restoreScheme = route({
  method: 'POST',
  path: '/api/v1/schemes/:id/restore',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'scheme.restore',
  areaScoped: true,
  summary: 'Takes a withdrawal back.',
  params: IdParams,
  body: RowVersion,
  reply: Scheme,
});
