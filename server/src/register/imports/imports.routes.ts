import {
  applyImport,
  checkImport,
  chooseSheet,
  chooseText,
  deleteImport,
  deleteImportMapping,
  getImport,
  getImportTemplate,
  listCoordinateSystems,
  listImportMappings,
  listImportPins,
  listImportRows,
  listImports,
  undoImport,
  uploadImport,
} from '../../../../contract/register/imports.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Imports } from './imports.service.ts';

export const importsRoutes = (imports: Imports): Binding[] => [
  bind(uploadImport, ({ query }, ctx) => imports.upload(ctx, query), {
    rules: ({ query = {} }) => imports.problems.ofText(query),
  }),
  bind(listImports, ({ query }, ctx) => imports.list(ctx, query)),
  bind(getImport, ({ params }, ctx) => imports.get(ctx, params.id)),
  bind(chooseSheet, ({ params, body }, ctx) => imports.sheet(ctx, params.id, body), {
    rules: ({ params, body }, { caller }) => imports.problems.ofSheet(caller, params?.id, body?.sheet),
  }),
  bind(chooseText, ({ params, body }, ctx) => imports.text(ctx, params.id, body), {
    rules: ({ body = {} }) => imports.problems.ofText(body),
  }),
  bind(checkImport, ({ params, body }, ctx) => imports.check(ctx, params.id, body), {
    rules: ({ params, body = {} }, { caller }) => imports.problems.ofPlan(caller, params?.id, body),
  }),
  bind(listImportPins, ({ params, query }, ctx) => imports.pins(ctx, params.id, query), {
    rules: ({ query }) => imports.problems.ofSystem(query?.system),
  }),
  bind(listImportRows, ({ params, query }, ctx) => imports.rows(ctx, params.id, query)),
  bind(applyImport, ({ params, body }, ctx) => imports.apply(ctx, params.id, body), { rules: 'none' }),
  bind(undoImport, ({ params }, ctx) => imports.undo(ctx, params.id)),
  bind(deleteImport, ({ params }, ctx) => imports.remove(ctx, params.id)),
  bind(getImportTemplate, ({ params }, ctx) => imports.template(ctx, params.family)),
  bind(listImportMappings, ({ query }, ctx) => imports.mappings(ctx, query)),
  bind(deleteImportMapping, ({ params }, ctx) => imports.forgetMapping(ctx, params.id)),
  bind(listCoordinateSystems, () => imports.systems()),
];
