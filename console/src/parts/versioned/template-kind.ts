import { templateFamilies } from '../../../../catalogue/lighting/families.ts';
import type { TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { templateProblems } from '../../../../catalogue/lighting/plan/template-problems.ts';
import {
  createTemplate,
  deleteTemplate,
  discardTemplateDraft,
  freezeTemplate,
  getTemplate,
  getTemplateFile,
  getTemplateVersion,
  importTemplate,
  listTemplates,
  listTemplateVersions,
  renameTemplate,
  restoreTemplate,
  retireTemplate,
  saveTemplateDraft,
} from '../../../../contract/light/templates.ts';
import { call, download } from '../../api/index.ts';
import { freshProgramme } from '../plan/model.ts';
import type { Kind } from './kind.ts';

const quiet = { quiet: true } as const;

/** Work parameter templates: their calls, and what is wrong with a content. */
export const templateKind: Kind<TemplateContent> = {
  name: 'templates',
  permission: 'plan.template',
  routes: [listTemplates, getTemplate, listTemplateVersions],
  fresh: {
    family: templateFamilies[0],
    reportLitSeconds: 900,
    reportUnlitSeconds: 3600,
    heartbeatSeconds: 300,
    powerUpLevel: 100,
    fallbackMinutes: 15,
    fallbackProgramme: freshProgramme,
    minimumMinutes: 10,
    rampSeconds: 0,
    staggerSeconds: 2,
    minLevel: 10,
    light: null,
    latitude: null,
    longitude: null,
    thresholds: {},
  },
  problemsOf: templateProblems,
  read: (id) => call(getTemplate, { params: { id } }, quiet),
  create: (body) => call(createTemplate, { body }, quiet),
  rename: (id, body) => call(renameTemplate, { params: { id }, body }, quiet),
  remove: (id) => call(deleteTemplate, { params: { id } }, quiet),
  save: (id, body) => call(saveTemplateDraft, { params: { id }, body }, quiet),
  discard: (id, version) => call(discardTemplateDraft, { params: { id }, query: { version } }, quiet),
  freeze: (id, body) => call(freezeTemplate, { params: { id }, body }, quiet),
  withdraw: (id, version) => call(retireTemplate, { params: { id }, body: { version } }, quiet),
  restore: (id, version) => call(restoreTemplate, { params: { id }, body: { version } }, quiet),
  readVersion: (id, number) => call(getTemplateVersion, { params: { id, number } }, quiet),
  saveFile: (id, number, name) => download(getTemplateFile, { params: { id, number } }, name, quiet),
  files: [],
  bring: (body) => call(importTemplate, { body }, quiet),
};
