import { Type } from 'typebox';

/** The first part of a publication: how many lamps, and when it has passed. */

export const canaryBounds = { count: 1000, share: 50 } as const;

export const PublicationCanary = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: canaryBounds.count })),
    share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: canaryBounds.share,
        description: 'Percent of the lamps; instead of `count`.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Percent = Type.Number({ minimum: 0, maximum: 100 });
/** When the first part has passed; absent members have the usual values. */
export const criteriaDefaults = {
  reportedPercent: 95,
  provenPercent: 95,
  litDropPoints: 2,
  newAlarmsPercent: 1,
} as const;
export const PublicationCriteria = Type.Object({
  /** Of the lamps that can say what they run. */
  reportedPercent: Percent,
  /** Of the lamps in reach. */
  provenPercent: Percent,
  /** Points by which the share of lit lamps may be below that of the same lamps in the night before. */
  litDropPoints: Percent,
  /** New alarms of lamps (L101, L110, L111, L112, L115); one is always allowed. */
  newAlarmsPercent: Percent,
});
