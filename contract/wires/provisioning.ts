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
 * How devices join: batches with a shared secret, newcomers that wait to be claimed, and the line of a device during
 * its first connection.
 */

const Families = Type.Array(Type.String({ maxLength: 40 }), {
  maxItems: 40,
  uniqueItems: true,
  description: 'Keys of the families that may join; empty: every family that reports.',
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
  /** `full`: no further serial is accepted. */
  standing: Type.Union([Type.Literal('open'), Type.Literal('disabled'), Type.Literal('expired'), Type.Literal('full')]),
  lastUsedAt: Nullable(Timestamp),
  /** The last member that was refused, and why. */
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
  dryRun: true,
  access: 'device.provision',
  action: 'batch.create',
  areaScoped: true,
  status: 201,
  summary: 'Creates a batch; its password is shown once.',
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
  dryRun: true,
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
  dryRun: true,
  access: 'device.provision',
  action: 'batch.secret',
  areaScoped: true,
  status: 201,
  summary: 'Issues another password for a batch, shown once; the older one stops working at once.',
  params: IdParams,
  reply: BatchCredentials,
});
export const deleteBatch = route({
  method: 'DELETE',
  path: '/api/v1/batches/:id',
  tag: 'provisioning',
  dryRun: true,
  access: 'device.provision',
  action: 'batch.delete',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a batch with the newcomers that wait in it; claimed devices stay.',
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
  /** As the newcomer states it, unverified. */
  family: Nullable(Type.String()),
  model: Nullable(Type.String()),
  firmware: Nullable(Type.String()),
  name: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  /** It sent hello with a secret of its own: after the claim it continues by itself. */
  ready: Type.Boolean(),
  /**
   * Another client used its serial: with another secret, from another address while it was connected, or in another
   * batch.
   */
  doubt: Nullable(Type.Union([Type.Literal('secret'), Type.Literal('address'), Type.Literal('elsewhere')])),
  doubtAt: Nullable(Timestamp),
  deviceId: Nullable(Type.Integer()),
  deviceCode: Nullable(Type.String()),
  deviceFamily: Nullable(Type.String()),
  claimedAt: Nullable(Timestamp),
  claimedBy: Nullable(Type.String()),
  /** When the claimed device was first heard under its own id; null: not yet. */
  arrivedAt: Nullable(Timestamp),
});
const Payload = Type.Object({
  at: Timestamp,
  kind: Type.String(),
  text: Type.String(),
  /** Why the message could not be read; null: it was read. */
  problem: Nullable(Type.String()),
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
  summary: 'Unknown devices that signed in with the secret of a batch, the newest first.',
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
  summary: 'One newcomer with its last messages, and the registered devices whose code is its serial.',
  params: IdParams,
  reply: Type.Interface([Newcomer], { payloads: Type.Array(Payload), matches: Type.Array(Candidate) }),
});
export const claimNewcomer = route({
  method: 'POST',
  path: '/api/v1/newcomers/:id/claim',
  refuses: ['changedMeanwhile'],
  limits: { bytes: bodyWithPictures },
  tag: 'provisioning',
  dryRun: true,
  access: 'device.provision',
  action: 'newcomer.claim',
  areaScoped: true,
  status: 201,
  summary:
    'Claims a newcomer as a registered device (`deviceId`; one with credentials only with `replace`), or as a new one (`device`: family and fields as in POST /api/v1/devices). The newcomer gets the result over its own topic.',
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
    /** Only for a newcomer that never sent hello: to be entered into it by hand, shown once. */
    credentials: Nullable(Type.Object({ clientId: Type.String(), username: Type.String(), password: Type.String() })),
  }),
});
export const blockNewcomer = route({
  method: 'PUT',
  path: '/api/v1/newcomers/:id/blocked',
  refuses: ['changedMeanwhile'],
  tag: 'provisioning',
  dryRun: true,
  access: 'device.provision',
  action: byBody('newcomer.access', ({ blocked }) => (blocked === false ? 'newcomer.unblock' : 'newcomer.block')),
  areaScoped: true,
  summary: 'Blocks the serial of a newcomer in its batch, or unblocks it.',
  params: IdParams,
  body: Type.Object({ blocked: Type.Boolean() }),
  reply: Newcomer,
});
export const forgetNewcomer = route({
  method: 'DELETE',
  path: '/api/v1/newcomers/:id',
  tag: 'provisioning',
  dryRun: true,
  access: 'device.provision',
  action: 'newcomer.forget',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a newcomer and its messages; it may come again as if for the first time. A claimed device stays.',
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
  /** How often it repeated since it was first recorded; `at` is the latest. */
  times: Type.Integer(),
});
export const getDeviceLink = route({
  method: 'GET',
  path: '/api/v1/devices/:id/link',
  tag: 'provisioning',
  access: 'device.credentials',
  areaScoped: true,
  summary:
    'Events on the line of a device, newest first: always its last 20 refusals with their reasons, and everything since watching began. Each call watches the line for 10 minutes.',
  params: IdParams,
  query: Type.Object({ after: Type.Optional(IdOrNone) }),
  reply: Type.Object({
    /** Whether the broker is the built-in one: only there connections and subscriptions are visible. */
    builtIn: Type.Boolean(),
    /** When its credentials were issued; null: it has none. */
    issuedAt: Nullable(Timestamp),
    /** The state of its own link; null: unknown. */
    connected: Nullable(Type.Boolean()),
    /** Arrival of its newest reading. */
    receivedAt: Nullable(Timestamp),
    events: Type.Array(LinkEvent),
  }),
});
