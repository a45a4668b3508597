import {
  createCredentials,
  createDevice,
  deleteDevice,
  getDevice,
  getDeviceUses,
  listDeviceReadings,
  listDevices,
  listFamilies,
  updateDevice,
} from '../../../../contract/register/devices.ts';
import { bind, type Binding, type RequestContext } from '../../platform/http/index.ts';
import type { Change, Devices } from './devices.service.ts';

const changeOf =
  (ctx: RequestContext): Change =>
  (action, work, facts = {}) =>
    ctx.change({ action, facts }, work);

export function devicesRoutes(devices: Devices): Binding[] {
  return [
    bind(listFamilies, (_input, ctx) => devices.families(ctx.language)),
    bind(listDevices, ({ query }, { caller }) => devices.list(caller, query)),
    bind(getDevice, ({ params }, { caller }) => devices.describe(caller, params.id)),
    bind(createDevice, ({ body }, ctx) => devices.create(ctx.caller, changeOf(ctx), body), {
      rules: ({ body = {} }, { caller }) => devices.problems.ofNew(caller, body),
    }),
    bind(updateDevice, ({ params, body }, ctx) => devices.update(ctx.caller, changeOf(ctx), params.id, body), {
      rules: ({ params, body = {} }, { caller }) => devices.problems.ofChange(caller, params?.id, body),
    }),
    bind(getDeviceUses, ({ params }, ctx) => devices.uses(ctx.caller, params.id, ctx.language)),
    bind(deleteDevice, ({ params }, ctx) => devices.remove(ctx.caller, changeOf(ctx), params.id)),
    bind(listDeviceReadings, ({ params, query }, { caller }) => devices.readings(caller, params.id, query)),
    bind(
      createCredentials,
      ({ params, query }, ctx) => devices.renewCredentials(ctx.caller, changeOf(ctx), params.id, query),
      { rules: ({ params, query = {} }) => devices.problems.ofAddress(params?.id, query) },
    ),
  ];
}
