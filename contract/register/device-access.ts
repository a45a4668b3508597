import { Type } from 'typebox';
import { Id, IdParams, Nullable, listOf, route } from '../route.ts';

/** The accounts that see a device beyond its work area, and reading the secrets of a device. */

export const revealDeviceSecret = route({
  method: 'POST',
  path: '/api/v1/devices/:id/secrets/:field',
  tag: 'devices',
  dryRun: 'shows a secret, and its row in the operation log is all that it changes',
  access: 'device.secret',
  action: 'device.secret',
  areaScoped: true,
  summary:
    'The stored value of one secret field (null: none is stored). The call only reads, but each one is written to the operation log.',
  params: Type.Object({ id: Id, field: Type.String({ maxLength: 40 }) }),
  reply: Type.Object({ value: Nullable(Type.String()) }),
});

const BoundAccount = Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() });

export const listDeviceAccounts = route({
  method: 'GET',
  path: '/api/v1/devices/:id/accounts',
  tag: 'devices',
  access: 'device.bind',
  areaScoped: true,
  summary: 'The accounts bound to a device: they see it regardless of their work areas.',
  params: IdParams,
  reply: listOf(BoundAccount),
});

export const bindDeviceAccount = route({
  method: 'POST',
  path: '/api/v1/devices/:id/accounts',
  tag: 'devices',
  dryRun: true,
  access: 'device.bind',
  action: 'device.bind',
  areaScoped: true,
  status: 201,
  summary:
    'Binds an account by its name; only an administrator may bind one of the same or a higher rank. Binding it again changes nothing.',
  params: IdParams,
  body: Type.Object({ username: Type.String({ minLength: 1, maxLength: 64 }) }),
  reply: BoundAccount,
});

export const unbindDeviceAccount = route({
  method: 'DELETE',
  path: '/api/v1/devices/:id/accounts/:accountId',
  tag: 'devices',
  dryRun: true,
  access: 'device.bind',
  action: 'device.unbind',
  areaScoped: true,
  status: 204,
  summary: 'Ends the binding of an account.',
  params: Type.Object({ id: Id, accountId: Id }),
  reply: Type.Null(),
  replyKind: 'empty',
});
