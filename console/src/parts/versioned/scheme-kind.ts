import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { schemeProblems } from '../../../../catalogue/lighting/plan/scheme-problems.ts';
import {
  createScheme,
  deleteScheme,
  discardSchemeDraft,
  freezeScheme,
  getScheme,
  getSchemeCalendarFile,
  getSchemeFile,
  getSchemePeriodsFile,
  getSchemeVersion,
  importScheme,
  listSchemes,
  listSchemeVersions,
  renameScheme,
  restoreScheme,
  saveSchemeDraft,
  withdrawScheme,
} from '../../../../contract/light/schemes.ts';
import { call, download } from '../../api/index.ts';
import { freshProgramme } from '../plan/model.ts';
import type { Kind } from './kind.ts';

const quiet = { quiet: true } as const;

/** Energy-saving schemes: their calls, and what is wrong with a content. */
export const schemeKind: Kind<SchemeContent> = {
  name: 'schemes',
  permission: 'plan.edit',
  routes: [listSchemes, getScheme, listSchemeVersions],
  fresh: {
    mode: 'energySaving',
    programmes: [{ key: 1, name: '', programme: freshProgramme }],
    calendar: { rules: [], default: 1 },
    rotation: 'weekly',
    floorExceptions: [],
  },
  problemsOf: schemeProblems,
  read: (id) => call(getScheme, { params: { id } }, quiet),
  create: (body) => call(createScheme, { body }, quiet),
  rename: (id, body) => call(renameScheme, { params: { id }, body }, quiet),
  remove: (id) => call(deleteScheme, { params: { id } }, quiet),
  save: (id, body) => call(saveSchemeDraft, { params: { id }, body }, quiet),
  discard: (id, version) => call(discardSchemeDraft, { params: { id }, query: { version } }, quiet),
  freeze: (id, body) => call(freezeScheme, { params: { id }, body }, quiet),
  withdraw: (id, version) => call(withdrawScheme, { params: { id }, body: { version } }, quiet),
  restore: (id, version) => call(restoreScheme, { params: { id }, body: { version } }, quiet),
  readVersion: (id, number) => call(getSchemeVersion, { params: { id, number } }, quiet),
  saveFile: (id, number, name) => download(getSchemeFile, { params: { id, number } }, name, quiet),
  files: [
    {
      key: 'calendar',
      extension: 'ics',
      save: (id, number, name) => download(getSchemeCalendarFile, { params: { id, number } }, name, quiet),
    },
    {
      key: 'periods',
      extension: 'xlsx',
      save: (id, number, name) => download(getSchemePeriodsFile, { params: { id, number } }, name, quiet),
    },
  ],
  bring: (body) => call(importScheme, { body }, quiet),
};
