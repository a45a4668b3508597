import { createRecord, deleteRecord, getRecord, getRecordUses, listRecords, updateRecord } from '../../../../contract/routes/records.ts';
import { bind, type Binding, type RequestContext } from '../../platform/http/index.ts';
import type { Change } from '../devices/index.ts';
import type { Records } from './records.service.ts';

const changeOf = (ctx: RequestContext): Change => (action, work) => ctx.change({ action }, work);

export function recordsRoutes(records: Records): Binding[] {
  return [
    bind(listRecords, ({ params, query }, { caller }) => records.list(caller, params.record, query)),
    bind(getRecord, ({ params }, { caller }) => records.get(caller, params.record, params.id)),
    bind(createRecord, ({ params, body }, ctx) => records.create(ctx.caller, changeOf(ctx), params.record, body as Record<string, unknown>)),
    bind(updateRecord, ({ params, body }, ctx) => records.update(ctx.caller, changeOf(ctx), params.record, params.id, body)),
    bind(getRecordUses, ({ params }, ctx) => records.uses(ctx.caller, params.record, params.id, ctx.language)),
    bind(deleteRecord, ({ params }, ctx) => records.remove(ctx.caller, changeOf(ctx), params.record, params.id)),
  ];
}
