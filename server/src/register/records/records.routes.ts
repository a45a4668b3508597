import {
  createRecord,
  deleteRecord,
  getRecord,
  getRecordUses,
  listRecords,
  updateRecord,
} from '../../../../contract/register/records.ts';
import { bind, type Binding, type Caller, type RequestContext } from '../../platform/http/index.ts';
import type { Change } from '../devices/index.ts';
import type { Asker, Records } from './records.service.ts';

const changeOf =
  (ctx: RequestContext): Change =>
  (action, work, facts = {}) =>
    ctx.change({ action, facts }, work);
const asker = ({ caller, language }: Pick<RequestContext, 'language'> & { readonly caller: Caller }): Asker => ({
  caller,
  language,
});

export function recordsRoutes(records: Records): Binding[] {
  return [
    bind(listRecords, ({ params, query }, ctx) => records.list(asker(ctx), params.record, query)),
    bind(getRecord, ({ params }, ctx) => records.get(asker(ctx), params.record, params.id)),
    bind(
      createRecord,
      ({ params, body }, ctx) =>
        records.create(asker(ctx), changeOf(ctx), params.record, body as Record<string, unknown>),
      {
        rules: ({ params, body = {} }, ctx) =>
          records.problems.ofNew(asker(ctx), params?.record, body as Record<string, unknown>),
      },
    ),
    bind(
      updateRecord,
      ({ params, body }, ctx) => records.update(asker(ctx), changeOf(ctx), params.record, params.id, body),
      {
        rules: ({ params, body = {} }, ctx) => records.problems.ofChange(asker(ctx), params?.record, params?.id, body),
      },
    ),
    bind(getRecordUses, ({ params }, ctx) => records.uses(asker(ctx), params.record, params.id)),
    bind(deleteRecord, ({ params }, ctx) => records.remove(asker(ctx), changeOf(ctx), params.record, params.id)),
  ];
}
