import {
  blockNewcomer,
  claimNewcomer,
  createBatch,
  deleteBatch,
  forgetNewcomer,
  getDeviceLink,
  getNewcomer,
  listBatches,
  listConnectable,
  listNewcomers,
  renewBatchSecret,
  updateBatch,
} from '../../../../contract/wires/provisioning.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { createBatches } from './batches.ts';
import type { createInbox } from './inbox.ts';

export const provisioningRoutes = (
  batches: ReturnType<typeof createBatches>,
  inbox: ReturnType<typeof createInbox>,
): Binding[] => [
  bind(listBatches, (_input, { caller }) => batches.list(caller)),
  bind(createBatch, ({ body }, ctx) => batches.create(ctx, body), {
    rules: ({ body = {} }, { caller }) => batches.problems.ofNew(caller, body),
  }),
  bind(updateBatch, ({ params, body }, ctx) => batches.update(ctx, params.id, body), {
    rules: ({ params, body = {} }, { caller }) => batches.problems.ofChange(caller, params?.id, body),
  }),
  bind(renewBatchSecret, ({ params }, ctx) => batches.renewSecret(ctx, params.id)),
  bind(deleteBatch, ({ params }, ctx) => batches.remove(ctx, params.id)),
  bind(listNewcomers, ({ query }, { caller }) => inbox.list(caller, query)),
  bind(getNewcomer, ({ params }, { caller }) => inbox.get(caller, params.id)),
  bind(claimNewcomer, ({ params, body }, ctx) => inbox.claim(ctx, params.id, body), {
    rules: ({ body = {} }, { caller }) => inbox.claimProblems(caller, body),
  }),
  bind(blockNewcomer, ({ params, body }, ctx) => inbox.block(ctx, params.id, body.blocked), { rules: 'none' }),
  bind(forgetNewcomer, ({ params }, ctx) => inbox.forget(ctx, params.id)),
  bind(listConnectable, ({ query }, { caller }) => inbox.connectable(caller, query)),
  bind(getDeviceLink, ({ params, query }, { caller }) => inbox.link(caller, params.id, query.after ?? 0)),
];
