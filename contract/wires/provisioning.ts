import { Type } from 'typebox';
import {
  Id,
  IdOrNone,
  IdParams,
  Nullable,
  Page,
  Size,
  Timestamp,
  Version,
  bodyWithPictures,
  byBody,
  listOf,
  route,
} from '../route.ts';

/**
 * How devices come in: batches with a shared secret, newcomers that wait to be claimed, and the line of a device being
 * connected.
 */

const Families = Type.Array(Type.String({ maxLength: 40 }), {
  maxItems: 40,
  uniqueItems: true,
  description: 'Keys of the families that may come; empty: every one that reports.',
});
const MaxDevices = Type.Integer({ minimum: 1, maximum: 10_000 });
const Name = Type.String({ minLength: 1, maxLength: 60 });

const Batch = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  workId: Type.Integer(),
  workName: Type.String(),
  families: Type.Array(Type.String()),
  maxDevices: Type.Integer(),
  expiresAt: Nullable(Timestamp),
  enabled: Type.Boolean(),
  username: Type.String(),
  /** `full`: no further serial is let in. */
  standing: Type.Union([Type.Literal('open'), Type.Literal('disabled'), Type.Literal('expired'), Type.Literal('full')]),
  lastUsedAt: Nullable(Timestamp),
  /** The last member that was not let in, and why. */
  lastDenied: Nullable(Type.Object({ at: Timestamp, serial: Type.String(), reason: Type.String() })),
  counts: Type.Object({ waiting: Type.Integer(), claimed: Type.Integer(), blocked: Type.Integer() }),
  createdBy: Type.String(),
  createdAt: Timestamp,
  version: Type.Integer(),
});
const BatchCredentials = Type.Object({ username: Type.String(), password: Type.String() });

export const listBatches = route({
  method: 'GET',
  path: '/api/v1/batches',
  tag: 'provisioning',
  access: 'device.provision',
  areaScoped: true,
  summary: 'Batches of devices that sign in with a shared secret until they are claimed.',
  reply: listOf(Batch),
});
export const createBatch = route({
  method: 'POST',
  path: '/api/v1/batches',
  tag: 'provisioning',
  access: 'device.provision',
  action: 'batch.create',
  areaScoped: true,
  status: 201,
  summary: 'Makes a batch; its password is shown once.',
  body: Type.Object({
    name: Name,
    workId: Id,
    families: Type.Optional(Families),
    maxDevices: Type.Optional(MaxDevices),
    expiresAt: Type.Optional(Nullable(Timestamp)),
  }),
  reply: Type.Object({ batch: Batch, credentials: BatchCredentials }),
});
export const updateBatch = route({
  method: 'PUT',
  path: '/api/v1/batches/:id',
  tag: 'provisioning',
  access: 'device.provision',
  action: 'batch.update',
  areaScoped: true,
  summary:
    'Changes a batch: absent fields stay. Disabling it ends the connections of its members that are not claimed yet.',
  params: IdParams,
  body: Type.Object({
    version: Type.Optional(Version),
    name: Type.Optional(Name),
    families: Type.Optional(Families),
    maxDevices: Type.Optional(MaxDevices),
    expiresAt: Type.Optional(Nullable(Timestamp)),
    enabled: Type.Optional(Type.Boolean()),
  }),
  reply: Batch,
});
export const renewBatchSecret = route({
  method: 'POST',
  path: '/api/v1/batches/:id/secret',
  tag: 'provisioning',
  access: 'device.provision',
  action: 'batch.secret',
  areaScoped: true,
  status: 201,
  summary: 'Another password for a batch, shown once; the older one ends at once.',
  params: IdParams,
  reply: BatchCredentials,
});
export const deleteBatch = route({
  method: 'DELETE',
  path: '/api/v1/batches/:id',
  tag: 'provisioning',
  access: 'device.provision',
  action: 'batch.delete',
  areaScoped: true,
  status: 204,
  summary: 'Takes a batch away with the newcomers that wait in it; what was claimed stays as it is.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const NewcomerState = Type.Union([Type.Literal('waiting'), Type.Literal('claimed'), Type.Literal('blocked')]);
const Newcomer = Type.Object({
  id: Type.Integer(),
  batchId: Type.Integer(),
  batchName: Type.String(),
  workId: Type.Integer(),
  workName: Type.String(),
  serial: Type.String(),
  state: NewcomerState,
  firstAt: Timestamp,
  lastAt: Timestamp,
  address: Nullable(Type.String()),
  messages: Type.Integer(),
  /** What it said of itself; not to be trusted. */
  family: Nullable(Type.String()),
  model: Nullable(Type.String()),
  firmware: Nullable(Type.String()),
  name: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  /** It said hello with a secret of its own: after the claim it goes on by itself. */
  ready: Type.Boolean(),
  /**
   * Somebody else used its serial: with another secret, from another address while it was connected, or in another
   * batch.
   */
  doubt: Nullable(Type.Union([Type.Literal('secret'), Type.Literal('address'), Type.Literal('elsewhere')])),
  doubtAt: Nullable(Timestamp),
  deviceId: Nullable(Type.Integer()),
  deviceCode: Nullable(Type.String()),
  deviceFamily: Nullable(Type.String()),
  claimedAt: Nullable(Timestamp),
  claimedBy: Nullable(Type.String()),
  /** Claimed: when the device was heard of as itself; null: not yet. */
  arrivedAt: Nullable(Timestamp),
});
const Payload = Type.Object({
  at: Timestamp,
  kind: Type.String(),
  text: Type.String(),
  /** Why it could not be read; null: it was. */ problem: Nullable(Type.String()),
});
const Candidate = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  code: Type.String(),
  name: Nullable(Type.String()),
  hasCredentials: Type.Boolean(),
});

export const listNewcomers = route({
  method: 'GET',
  path: '/api/v1/newcomers',
  tag: 'provisioning',
  access: 'device.provision',
  areaScoped: true,
  summary: 'Devices that came with the secret of a batch and are not known, the newest first.',
  query: Type.Object({
    state: Type.Optional(NewcomerState),
    batchId: Type.Optional(Id),
    family: Type.Optional(Type.String({ maxLength: 40 })),
    /** Part of the serial, or of the model. */
    q: Type.Optional(Type.String({ maxLength: 100 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size()),
  }),
  reply: listOf(Newcomer),
});
export const getNewcomer = route({
  method: 'GET',
  path: '/api/v1/newcomers/:id',
  tag: 'provisioning',
  access: 'device.provision',
  areaScoped: true,
  summary: 'One newcomer with the last things it said, and the registered devices that have its serial as code.',
  params: IdParams,
  reply: Type.Interface([Newcomer], { payloads: Type.Array(Payload), matches: Type.Array(Candidate) }),
});
export const claimNewcomer = route({
  method: 'POST',
  path: '/api/v1/newcomers/:id/claim',
  refuses: ['changedMeanwhile'],
  limits: { bytes: bodyWithPictures },
  tag: 'provisioning',
  access: 'device.provision',
  action: 'newcomer.claim',
  areaScoped: true,
  status: 201,
  summary:
    'Makes a newcomer a device: a registered one (`deviceId`; with credentials already: only with `replace`), or a new one (`device`: family and fields as in POST /api/v1/devices). It is told over its own topic.',
  params: IdParams,
  body: Type.Object({
    deviceId: Type.Optional(Id),
    replace: Type.Optional(Type.Boolean()),
    device: Type.Optional(
      Type.Object(
        { family: Type.String({ maxLength: 40 }) },
        { additionalProperties: true, description: 'Fields of the family by wire name.' },
      ),
    ),
  }),
  form: { of: 'newDevice', at: 'device' },
  reply: Type.Object({
    deviceId: Type.Integer(),
    family: Type.String(),
    /** Only for one that never said hello: to be put into it by hand, shown once. */
    credentials: Nullable(Type.Object({ clientId: Type.String(), username: Type.String(), password: Type.String() })),
  }),
});
export const blockNewcomer = route({
  method: 'PUT',
  path: '/api/v1/newcomers/:id/blocked',
  refuses: ['changedMeanwhile'],
  tag: 'provisioning',
  access: 'device.provision',
  action: byBody('newcomer.access', ({ blocked }) => (blocked === false ? 'newcomer.unblock' : 'newcomer.block')),
  areaScoped: true,
  summary: 'Blocks the serial of a newcomer in its batch, or lets it in again.',
  params: IdParams,
  body: Type.Object({ blocked: Type.Boolean() }),
  reply: Newcomer,
});
export const forgetNewcomer = route({
  method: 'DELETE',
  path: '/api/v1/newcomers/:id',
  tag: 'provisioning',
  access: 'device.provision',
  action: 'newcomer.forget',
  areaScoped: true,
  status: 204,
  summary: 'Forgets a newcomer and what it said; it may come again as if for the first time. A claimed device stays.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const listConnectable = route({
  method: 'GET',
  path: '/api/v1/connectable-devices',
  tag: 'provisioning',
  access: ['device.credentials', 'device.provision'],
  areaScoped: true,
  summary: 'Registered devices that report by themselves and have no credentials yet, by code; at most 50.',
  query: Type.Object({
    family: Type.Optional(Type.String({ maxLength: 40 })),
    q: Type.Optional(Type.String({ maxLength: 100 })),
    workArea: Type.Optional(Id),
  }),
  reply: listOf(Candidate),
});

const LinkEvent = Type.Object({
  id: Type.Integer(),
  at: Timestamp,
  /** connected, denied, takenOver, subscribed, subscriptionRefused, publishRefused, messageRefused, disconnected */
  kind: Type.String(),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  address: Nullable(Type.String()),
  /** How often the same came since it was first written down; `at` is the latest. */
  times: Type.Integer(),
});
export const getDeviceLink = route({
  method: 'GET',
  path: '/api/v1/devices/:id/link',
  tag: 'provisioning',
  access: 'device.credentials',
  areaScoped: true,
  summary:
    'What happened on the line of a device, newest first: its last 20 refusals with their reasons, always, and everything since somebody began to watch. Asking watches it for 10 minutes.',
  params: IdParams,
  query: Type.Object({ after: Type.Optional(IdOrNone) }),
  reply: Type.Object({
    /** Whether the broker is the program's own: only there connections and subscriptions can be seen. */
    builtIn: Type.Boolean(),
    /** When its credentials were issued; null: it has none. */
    issuedAt: Nullable(Timestamp),
    /** Of its own link; null: it never said. */
    connected: Nullable(Type.Boolean()),
    /** When its newest reading arrived. */
    receivedAt: Nullable(Timestamp),
    events: Type.Array(LinkEvent),
  }),
});
