import {
  createTemplate,
  deleteTemplate,
  discardTemplateDraft,
  freezeTemplate,
  getTemplate,
  getTemplateFile,
  getTemplateSchema,
  getTemplateVersion,
  importTemplate,
  listTemplateVersions,
  listTemplates,
  renameTemplate,
  restoreTemplate,
  saveTemplateDraft,
  retireTemplate,
} from '../../../../contract/light/templates.ts';
import { bind, wordedProblems, type Binding } from '../../platform/http/index.ts';
import { createVersioned, templateKind, type VersionedParts } from '../versioned/index.ts';

/** Work parameter templates (工作参数模板). */
export function templatesRoutes(parts: VersionedParts): Binding[] {
  const templates = createVersioned(templateKind, parts);
  return [
    bind(listTemplates, ({ query }, { caller }) => templates.list(caller, query)),
    bind(getTemplate, ({ params }, { caller }) => templates.get(caller, params.id)),
    bind(createTemplate, ({ body }, ctx) => templates.create(ctx, body), {
      rules: async ({ body = {} }, { caller }) => wordedProblems(await templates.problems.ofNew(caller, body)),
    }),
    bind(renameTemplate, ({ params, body }, ctx) => templates.rename(ctx, params.id, body), {
      rules: ({ params, body = {} }, { caller }) =>
        templates.problems.ofNames(caller, params?.id, body).then(wordedProblems),
    }),
    bind(deleteTemplate, ({ params }, ctx) => templates.remove(ctx, params.id)),
    bind(saveTemplateDraft, ({ params, body }, ctx) => templates.save(ctx, params.id, body), {
      rules: ({ body }) => wordedProblems(templates.problems.ofContent(body?.content)),
    }),
    bind(discardTemplateDraft, ({ params, query }, ctx) => templates.discard(ctx, params.id, query.version), {
      rules: 'none',
    }),
    bind(freezeTemplate, ({ params, body }, ctx) => templates.freeze(ctx, params.id, body), { rules: 'none' }),
    bind(listTemplateVersions, ({ params }, { caller }) => templates.versions(caller, params.id)),
    bind(getTemplateVersion, ({ params }, { caller }) => templates.version(caller, params.id, params.number)),
    bind(getTemplateFile, ({ params }, { caller }) => templates.file(caller, params.id, params.number)),
    bind(getTemplateSchema, () => templates.schema()),
    bind(importTemplate, ({ body }, ctx) => templates.import(ctx, body), {
      rules: async ({ body = {} }, { caller }) => wordedProblems(await templates.problems.ofImport(caller, body)),
    }),
    bind(retireTemplate, ({ params, body }, ctx) => templates.close(ctx, params.id, body.version, 'retire'), {
      rules: 'none',
    }),
    bind(restoreTemplate, ({ params, body }, ctx) => templates.close(ctx, params.id, body.version, 'restore'), {
      rules: 'none',
    }),
  ];
}
