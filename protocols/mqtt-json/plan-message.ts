import { Type } from 'typebox';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { mostSettingsBytes } from '../wire.ts';
import { rotations, sunAnchors } from '../../catalogue/lighting/plan/programme.ts';

/** The plan of a lamp as a schema: `catalogue/lighting/plan/compact.ts` says the same in types. */

interface Range {
  readonly min: number;
  readonly max: number;
}
const whole = ({ min, max }: Range, description?: string) =>
  Type.Integer({ minimum: min, maximum: max, ...(description === undefined ? {} : { description }) });

const clock = '([01]\\d|2[0-3]):[0-5]\\d';
const Clock = (description: string) => Type.String({ pattern: `^${clock}$`, description });
const Day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
const anchors = [...sunAnchors, 'middle'].join('|');
const At = Type.String({
  pattern: `^(${anchors}|${clock})$`,
  description:
    '`sunset`, `sunrise`, `dusk`, `dawn`, `middle` (halfway between on and off; of periods only) or a wall-clock time `HH:MM`.',
});
const Offset = whole(planLimits.offsetMinutes, 'Minutes added to `at`.');
const Key = whole({ min: 1, max: 255 }, 'The `key` of a programme.');

const Light = Type.Object(
  {
    lux: whole(planLimits.lux, 'Below it is dark, above it light.'),
    sensitivity: Type.Optional(whole(planLimits.sensitivity)),
    beforeMinutes: whole(planLimits.lightWindowMinutes, 'The window begins so long before the anchor.'),
    afterMinutes: whole(planLimits.lightWindowMinutes, 'It ends so long after it.'),
    delayMinutes: whole(planLimits.lightDelayMinutes, 'The sensor must have said so for so long.'),
  },
  { description: 'Switched by a light sensor inside a window around the anchor.' },
);

const Switching = Type.Object({
  at: At,
  offsetMinutes: Offset,
  notBefore: Type.Optional(Clock('Wall-clock time before which it is not switched.')),
  notAfter: Type.Optional(Clock('Wall-clock time after which it is not switched.')),
  light: Type.Optional(Light),
});

const Period = Type.Object({
  start: Type.Union(
    [Type.String({ pattern: `^(on|${anchors}|${clock})$` }), Type.Object({ at: At, offsetMinutes: Offset })],
    { description: 'From here on: `on` (the first), an anchor without minutes added, or one with.' },
  ),
  level: whole(planLimits.level, 'Percent; 0 is a dark stretch.'),
  oneOf: Type.Optional(
    Type.Union([Type.Literal(2), Type.Literal(3)], {
      description: 'Of so many neighbours of the row one is lit at the level, by `cycle`; left out: all.',
    }),
  ),
  ramp: Type.Optional(whole(planLimits.rampSeconds, 'Seconds that the change to this level takes, from the step on.')),
});

const Programme = Type.Object({
  key: Key,
  on: Switching,
  off: Switching,
  minimumMinutes: whole(planLimits.minimumMinutes, 'A lit stretch at an end of the night that is shorter is not lit.'),
  periods: Type.Array(Period, { minItems: planLimits.periods.min, maxItems: planLimits.periods.max }),
});

const Cycle = Type.Object(
  {
    k: whole({ min: 0, max: 99_999 }, 'The place of this lamp in its row, from 0.'),
    n: whole({ min: 0, max: 100_000 }, 'Lamps of the row.'),
    shift: Type.Enum([...rotations], { description: 'How the pattern moves: never, every night, every week.' }),
    right: Type.Optional(Type.Literal(true, { description: 'The row stands on the right side of the road.' })),
    keep: Type.Optional(Type.Literal(true, { description: 'This lamp is lit in every pattern.' })),
  },
  { description: 'What this lamp is in its row; left out: it stands in none, and every pattern lights it.' },
);

export const mostSpans = 400;

export const planHashPattern = '^[0-9a-f]{12}$';
export const PlanMessage = Type.Object(
  {
    scheme: Type.String({ maxLength: 64, description: 'The code of the energy-saving scheme.' }),
    version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Its version.' }),
    hash: Type.String({
      pattern: planHashPattern,
      description:
        'The plan hash: of this message’s plan for this device. Report it as `planHash`. It is not the hash of version `version`, which the HTTP interface calls `hash` or `versionHash`: the two are not to be compared.',
    }),
    from: Day('The first lighting day on which the plan holds; before it the `table` does.'),
    programmes: Type.Array(Programme, { minItems: planLimits.programmes.min, maxItems: planLimits.programmes.max }),
    days: Type.Array(
      Type.Object({ from: Day('The first lighting day.'), to: Day('The last lighting day.'), programme: Key }),
      { maxItems: mostSpans, description: 'Which lighting days have another programme than the default.' },
    ),
    default: Key,
    cycle: Type.Optional(Cycle),
    minLevel: Type.Optional(
      whole(planLimits.minLevel, 'The lowest level that this lamp is to hold, percent; 0 stays 0.'),
    ),
  },
  { description: 'What the lamp does by itself, instead of `table`: see “Working by a plan”.' },
);

export const PlanHash = Type.Union([Type.String({ pattern: planHashPattern }), Type.Null()], {
  description:
    'The plan hash: the `hash` of the plan that the device has taken over, never that of a version; null: it has none. Left out by devices that know no plans.',
});

export const Capabilities = Type.Object(
  {
    plan: Type.Optional(
      Type.Object(
        {
          periods: whole({ min: 1, max: 64 }, 'Most periods of a programme that it keeps.'),
          calendar: Type.Boolean({ description: 'It follows several programmes by `days`.' }),
          light: Type.Boolean({ description: 'It has a light sensor, or hears one.' }),
          cycle: Type.Boolean({ description: 'It follows alternate patterns.' }),
        },
        { description: 'Left out: it goes by `table` alone.' },
      ),
    ),
    messageBytes: Type.Optional(
      whole(
        { min: 1024, max: mostSettingsBytes },
        'The largest settings message that it takes, bytes. Where a plan would be larger it is sent the table alone.',
      ),
    ),
  },
  { description: 'What the device can do by itself.' },
);
