import {
  createScheme,
  deleteScheme,
  discardSchemeDraft,
  freezeScheme,
  getScheme,
  getSchemeCalendarFile,
  getSchemeFile,
  getSchemePeriodsFile,
  getSchemeSchema,
  getSchemeVersion,
  importScheme,
  listSchemePlaces,
  listSchemeVersions,
  listSchemes,
  renameScheme,
  restoreScheme,
  saveSchemeDraft,
  withdrawScheme,
} from '../../../../contract/light/schemes.ts';
import { bind, wordedProblems, type Binding } from '../../platform/http/index.ts';
import { createVersioned, schemeKind, type VersionedParts } from '../versioned/index.ts';
import { createSchemeFiles } from './files.ts';
import { outlooksOf } from './outlook.ts';
import { findPartlyFollowing } from './places.store.ts';

/** Energy-saving schemes (节能方案). */
export function schemesRoutes(parts: VersionedParts): Binding[] {
  const schemes = createVersioned(schemeKind, parts);
  const files = createSchemeFiles(parts);
  return [
    bind(listSchemes, async ({ query: { outlook = false, ...query } }, { caller }) => {
      const { data, recordsTotal, counts } = await schemes.page(caller, query);
      const outlooks = outlook ? await outlooksOf(parts, counts) : null;
      return { data: data.map((row) => ({ ...row, outlook: outlooks?.get(row.id) ?? null })), recordsTotal };
    }),
    bind(getScheme, ({ params }, { caller }) => schemes.get(caller, params.id)),
    bind(listSchemePlaces, async ({ params }, { caller }) => {
      const { id } = await schemes.get(caller, params.id);
      const data = await findPartlyFollowing(parts.db, caller, id);
      return { data, recordsTotal: data.length };
    }),
    bind(createScheme, ({ body }, ctx) => schemes.create(ctx, body), {
      rules: async ({ body = {} }, { caller }) => wordedProblems(await schemes.problems.ofNew(caller, body)),
    }),
    bind(renameScheme, ({ params, body }, ctx) => schemes.rename(ctx, params.id, body), {
      rules: ({ params, body = {} }, { caller }) =>
        schemes.problems.ofNames(caller, params?.id, body).then(wordedProblems),
    }),
    bind(deleteScheme, ({ params }, ctx) => schemes.remove(ctx, params.id)),
    bind(saveSchemeDraft, ({ params, body }, ctx) => schemes.save(ctx, params.id, body), {
      rules: ({ body }) => wordedProblems(schemes.problems.ofContent(body?.content)),
    }),
    bind(discardSchemeDraft, ({ params, query }, ctx) => schemes.discard(ctx, params.id, query.version), {
      rules: 'none',
    }),
    bind(freezeScheme, ({ params, body }, ctx) => schemes.freeze(ctx, params.id, body), { rules: 'none' }),
    bind(listSchemeVersions, ({ params }, { caller }) => schemes.versions(caller, params.id)),
    bind(getSchemeVersion, ({ params }, { caller }) => schemes.version(caller, params.id, params.number)),
    bind(getSchemeFile, ({ params }, { caller }) => schemes.file(caller, params.id, params.number)),
    bind(getSchemeCalendarFile, ({ params }, { caller }) => files.calendar(caller, params.id, params.number)),
    bind(getSchemePeriodsFile, ({ params }, { caller, language }) =>
      files.periods(caller, params.id, params.number, language),
    ),
    bind(getSchemeSchema, () => schemes.schema()),
    bind(importScheme, ({ body }, ctx) => schemes.import(ctx, body), {
      rules: async ({ body = {} }, { caller }) => wordedProblems(await schemes.problems.ofImport(caller, body)),
    }),
    bind(withdrawScheme, ({ params, body }, ctx) => schemes.close(ctx, params.id, body.version, 'withdraw'), {
      rules: 'none',
    }),
    bind(restoreScheme, ({ params, body }, ctx) => schemes.close(ctx, params.id, body.version, 'restore'), {
      rules: 'none',
    }),
  ];
}
