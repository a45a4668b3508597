import { Type, type Static } from 'typebox';
import { Capabilities, PlanHash, PlanMessage } from './plan-message.ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { roadStagger } from '../../catalogue/lighting/stagger.ts';

/** The payloads of the protocol as schemas: the codec checks with them and the served AsyncAPI document shows them. */

export const limits = {
  payloadBytes: 65_536,
  readingsPerMessage: 500,
  valuesPerReading: 200,
  nesting: 8,
} as const;

/** ISO 8601 with seconds; the server writes UTC with milliseconds and understands every offset. */
export const timePattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$';
const Time = (description: string) =>
  Type.String({ format: 'date-time', pattern: timePattern, maxLength: 40, description });

/** `values` holds the family's quantities by name; see the schemas of the families for names, units and ranges. */
export const Values = Type.Record(
  Type.String(),
  Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 100 }), Type.Null()]),
  {
    maxProperties: limits.valuesPerReading,
    description:
      'Quantities by name, in the units of the family. Leave out what is not measured; what was known and is not any more (a power factor without current) is null. Never 0 instead.',
  },
);

/** What a device itself says of a reading. */
export const declaredQualities = ['measured', 'estimated', 'stale'] as const;

export const Reading = Type.Object(
  {
    at: Time(
      'When it was measured, by the device clock. Older than 400 days or more than 10 minutes in the future is refused.',
    ),
    values: Values,
    quality: Type.Optional(
      Type.Enum(declaredQualities, {
        description:
          'Left out: `measured`. `estimated`: computed, not measured. `stale`: an older value told again because nothing newer could be read (a lamp that its controller does not reach): kept in the history only.',
      }),
    ),
  },
  { description: 'One measurement. A repeated `at` of the same device changes nothing, so sending again is safe.' },
);

export const ReadingsMessage = Type.Object({
  sentAt: Time(
    'When this message was sent, by the device clock: the server learns from it by how much the clock is wrong.',
  ),
  readings: Type.Array(Reading, { minItems: 1, maxItems: limits.readingsPerMessage }),
  planHash: Type.Optional(PlanHash),
  capabilities: Type.Optional(Capabilities),
});

/**
 * The same schema without the form of times: the reader of times checks it next, in a fraction of the time.
 */
export const QuickReadings = Type.Object({
  sentAt: Type.String(),
  readings: Type.Array(Type.Object({ at: Type.String(), values: Values, quality: Reading.properties.quality }), {
    minItems: 1,
    maxItems: limits.readingsPerMessage,
  }),
  planHash: ReadingsMessage.properties.planHash,
  capabilities: ReadingsMessage.properties.capabilities,
});

export const StatusMessage = Type.Object({
  online: Type.Boolean({ description: 'true right after connecting; false in the last will.' }),
  at: Type.Optional(Time('When it was sent, by the device clock; absent in the last will.')),
  firmware: Type.Optional(Type.String({ maxLength: 100 })),
  settingsVersion: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The `version` of the settings the device runs with.',
    }),
  ),
  planHash: Type.Optional(PlanHash),
  capabilities: Type.Optional(Capabilities),
  clockAt: Type.Optional(Time('When its clock was last set, by that clock.')),
});

export const AckMessage = Type.Object({
  commandId: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    description: 'The `commandId` of the command that is answered.',
  }),
  accepted: Type.Boolean({ description: 'true: executed. false: not executed, `error` says why.' }),
  executedAt: Type.Optional(
    Type.Union([Time('When it was executed, by the device clock. Required when accepted.'), Type.Null()]),
  ),
  error: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
});

const CommandName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'One of the commands of the device’s family.',
});
export const CommandMessage = Type.Object({
  commandId: Type.String({
    description:
      'Repeat it in the acknowledgement. The same id may arrive twice: execute it once, acknowledge it again.',
  }),
  command: CommandName,
  args: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Arguments by name, e.g. `level` in percent for `dim`.',
  }),
  issuedAt: Time('When the server sent it.'),
  expiresAt: Time('Not to be executed at or after this time: acknowledge with accepted false and error "expired".'),
  until: Type.Union([
    Time('When the manual state ends: the device itself then follows its own table again, connected or not.'),
    Type.Null(),
  ]),
  turn: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Every command of this server has it; only a server of an older version sends none, and then the order of arrival counts. Grows with every message. Within an hour after executing a command that changes its state, a device does not execute one with a lower `turn` that it has not answered yet: that one was held up on its way. Acknowledge it with accepted false and error "superseded". A `read` is answered whenever it comes.',
    }),
  ),
});

export const SettingsMessage = Type.Object({
  version: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Changes whenever anything below changes. Report it in `status`.',
  }),
  serverTime: Time('When this message was written. It is retained and may be old: never set a clock by it.'),
  timeZone: Type.String({ description: 'IANA name; fixed times in the table are wall-clock times there.' }),
  latitude: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Degrees, WGS-84: where the sun is reckoned. With a `plan` the place of this device, without one the middle of the site; null: it is not known.',
  }),
  longitude: Type.Union([Type.Number(), Type.Null()]),
  sunOffsetMinutes: Type.Integer({
    description: 'Minutes to add to every sunrise and sunset that the device computes.',
  }),
  table: Type.Array(
    Type.Object({
      at: Type.String({ description: '"sunset", "sunrise" or a wall-clock time "HH:MM".' }),
      offsetMinutes: Type.Integer({ description: 'Minutes after (negative: before) `at`.' }),
      level: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent from here on; 0 is off.' }),
    }),
    { description: 'What the lamp does by itself without a `plan`.' },
  ),
  reportSeconds: Type.Object({
    lit: Type.Integer({ minimum: 1, description: 'Longest distance between readings while lit.' }),
    unlit: Type.Integer({ minimum: 1, description: 'The same while off.' }),
  }),
  plan: Type.Optional(PlanMessage),
  fallbackMinutes: Type.Optional(
    Type.Integer({
      minimum: planLimits.fallbackMinutes.min,
      maximum: planLimits.fallbackMinutes.max,
      description:
        'Without connection for so long the device goes on by what it keeps, as always, and says so: `reason` is `fallback`.',
    }),
  ),
  powerUpLevel: Type.Optional(
    Type.Integer({
      minimum: planLimits.level.min,
      maximum: planLimits.level.max,
      description: 'Percent after power returns, until the device knows the time: `reason` is `powerUp`.',
    }),
  ),
  stagger: Type.Optional(
    Type.Integer({
      minimum: planLimits.staggerSeconds.min,
      maximum: planLimits.staggerSeconds.max,
      description:
        'Each lamp adds a delay of its own, from 0 to so many seconds and always the same, to every step of its plan: thousands do not switch in one instant.',
    }),
  ),
  staggerFrom: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: planLimits.staggerSeconds.max - roadStagger,
      description: `The lamps of a road begin together, so many seconds after a step: the delay of its own that a lamp adds lies between this and ${roadStagger} s later, instead of anywhere in \`stagger\`. The same for all lamps of a road.`,
    }),
  ),
  heartbeatSeconds: Type.Optional(
    Type.Integer({
      minimum: planLimits.heartbeatSeconds.min,
      maximum: planLimits.heartbeatSeconds.max,
      description:
        'The keep alive of the next connection of a device that has one: the broker takes it for lost after one and a half of it without a packet.',
    }),
  ),
  light: Type.Optional(
    Type.Object(
      {
        lux: Type.Integer({ minimum: planLimits.lux.min, maximum: planLimits.lux.max }),
        sensitivity: Type.Integer({ minimum: planLimits.sensitivity.min, maximum: planLimits.sensitivity.max }),
        delayMinutes: Type.Integer({
          minimum: planLimits.lightDelayMinutes.min,
          maximum: planLimits.lightDelayMinutes.max,
        }),
      },
      {
        description:
          'How a device with a light sensor sets it where its `plan` says nothing of it; one without goes by the times of its plan.',
      },
    ),
  ),
});

export type ReadingsMessage = Static<typeof ReadingsMessage>;
export type StatusMessage = Static<typeof StatusMessage>;
export type AckMessage = Static<typeof AckMessage>;
export type CommandMessage = Static<typeof CommandMessage>;
export type SettingsMessage = Static<typeof SettingsMessage>;
