import { Type } from 'typebox';
import { templateFamilies } from '../../catalogue/lighting/families.ts';
import type { TemplateContent as Content } from '../../catalogue/lighting/plan/scheme.ts';
import { IdParams, Nullable, Version, listOf, route } from '../route.ts';
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

/** Work parameter templates (工作参数模板): how controllers work whatever they are planned for, in immutable versions. */

/** `draft`: never frozen. `frozen`: no lamp follows it. `retired`: it cannot be published. */
export const templateStates = ['draft', 'frozen', 'inUse', 'retired'] as const;
/** What a file of a version calls its format. */
export const templateFormat = 'lampyris-template/1';

const Content = givenContent<Content>('TemplateContent');

/** `family`: whose controllers it sets, said by the content or taken from before it was. */
const OfContent = { family: Type.Enum(templateFamilies) } as const;

const TemplateRow = Type.Object(itemRow(templateStates));
/** `content`: the draft, else the newest version; null: there is neither. */
export const Template = Type.Interface([TemplateRow], { content: Nullable(Content), ...OfContent });
export const TemplateVersion = Type.Interface([versionOf(Content)], OfContent);
/** The member `difference` of a refused draft. */
export const TemplateDifference = draftDifference(Content);
export const TemplateFile = fileOf(templateFormat, Content);

const tag = 'work parameter templates';

export const listTemplates = route({
  method: 'GET',
  path: '/api/v1/work-parameter-templates',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'Work parameter templates of the work areas that the caller sees, and those of all areas.',
  query: listQuery(templateStates),
  reply: listOf(TemplateRow),
});

export const getTemplate = route({
  method: 'GET',
  path: '/api/v1/work-parameter-templates/:id',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One template with the content of its draft, or of its newest version.',
  params: IdParams,
  reply: Template,
});

export const createTemplate = route({
  method: 'POST',
  path: '/api/v1/work-parameter-templates',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.create',
  areaScoped: true,
  status: 201,
  summary: 'Creates a template without content. `workAreaId` null: for all areas, by administrators.',
  body: Type.Object(NewItem),
  reply: Template,
});

export const renameTemplate = route({
  method: 'PUT',
  path: '/api/v1/work-parameter-templates/:id',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.rename',
  areaScoped: true,
  summary: 'Changes code and name; an outdated `version` is 409.',
  params: IdParams,
  body: Type.Object({ version: Version, code: Type.Optional(Code), name: Type.Optional(Name) }),
  reply: Template,
});

export const deleteTemplate = route({
  method: 'DELETE',
  path: '/api/v1/work-parameter-templates/:id',
  refuses: ['onlyAdministrators', 'hasVersions'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.delete',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a template that was never frozen; one with versions stays and can be retired.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const saveTemplateDraft = route({
  method: 'PUT',
  path: '/api/v1/work-parameter-templates/:id/draft',
  refuses: ['onlyAdministrators'],
  limits: contentLimits,
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.draft',
  areaScoped: true,
  summary:
    'Saves the draft. An outdated `version` is 409 with `difference`: base, theirs, mine, and the paths that differ.',
  params: IdParams,
  body: Type.Object({ version: Version, content: Content }),
  reply: Template,
});

export const discardTemplateDraft = route({
  method: 'DELETE',
  path: '/api/v1/work-parameter-templates/:id/draft',
  refuses: ['onlyAdministrators', 'noDraft', 'changedMeanwhile'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.discard',
  areaScoped: true,
  summary: 'Discards the draft: the newest version is the content again. An outdated `version` is 409.',
  params: IdParams,
  query: RowVersion,
  reply: Template,
});

export const freezeTemplate = route({
  method: 'POST',
  path: '/api/v1/work-parameter-templates/:id/versions',
  refuses: ['onlyAdministrators', 'noDraft'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.freeze',
  areaScoped: true,
  status: 201,
  summary: 'Freezes the draft into the next version, which never changes. An outdated `version` is 409.',
  params: IdParams,
  body: Type.Object({ version: Version, note: Note }),
  reply: TemplateVersion,
});

export const listTemplateVersions = route({
  method: 'GET',
  path: '/api/v1/work-parameter-templates/:id/versions',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'All versions of a template, newest first.',
  params: IdParams,
  reply: listOf(VersionRow),
});

export const getTemplateVersion = route({
  method: 'GET',
  path: '/api/v1/work-parameter-templates/:id/versions/:number',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One version of a template, with its content.',
  params: VersionParams,
  reply: TemplateVersion,
});

export const getTemplateFile = route({
  method: 'GET',
  path: '/api/v1/work-parameter-templates/:id/versions/:number/file',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One version as a JSON file of the format `lampyris-template/1`, with the hash of its content.',
  params: VersionParams,
  reply: TemplateFile,
  replyKind: 'file',
  sends: ['application/json'],
});

export const getTemplateSchema = route({
  method: 'GET',
  path: '/api/v1/template-file-schema',
  tag,
  access: 'session',
  summary: 'The JSON Schema of files of the format `lampyris-template/1`.',
  reply: Type.Record(Type.String(), Type.Unknown()),
});

export const importTemplate = route({
  method: 'POST',
  path: '/api/v1/template-imports',
  refuses: ['onlyAdministrators'],
  limits: contentLimits,
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.import',
  areaScoped: true,
  status: 201,
  summary:
    'Creates a template whose draft is the content of a file. Code and name are those of the file unless given. Refused with every problem if the hash differs or something is unknown.',
  body: Type.Object({
    workAreaId: NewItem.workAreaId,
    code: Type.Optional(Code),
    name: Type.Optional(Name),
    file: Type.Object({}, { additionalProperties: true, description: 'As GET …/file gave it.' }),
  }),
  reply: Template,
});

export const retireTemplate = route({
  method: 'POST',
  path: '/api/v1/work-parameter-templates/:id/retire',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.retire',
  areaScoped: true,
  summary: 'Retires a template: it cannot be published; lamps that follow it go on, history stays.',
  params: IdParams,
  body: RowVersion,
  reply: Template,
});

export const restoreTemplate = route({
  method: 'POST',
  path: '/api/v1/work-parameter-templates/:id/restore',
  refuses: ['onlyAdministrators'],
  tag,
  dryRun: true,
  access: 'plan.template',
  action: 'template.restore',
  areaScoped: true,
  summary: 'Takes a retirement back.',
  params: IdParams,
  body: RowVersion,
  reply: Template,
});
