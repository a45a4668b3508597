import type { Period, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import type { RoadClass } from '../../../../simulator/city/types.ts';
import { assign } from '../../light/plans/index.ts';
import { addWithVersion, schemeKind, templateKind } from '../../light/versioned/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { AreaPlace } from '../../register/places/index.ts';

/** What the lamps of the demo city follow: darker in the hours with few people, by the class of their road. */

type Level = readonly [from: string, level: number];
const by = '演示';

/** From sunset at full level, from each clock time on at its level, to sunrise. */
const staged = (levels: readonly Level[], pattern: Period['pattern'] = 'all'): Programme => ({
  on: { at: 'sunset', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
  off: { at: 'sunrise', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
  periods: [
    { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
    ...levels.map(([at, level]): Period => ({
      start: { at, offsetMinutes: 0 },
      level,
      pattern: level === 100 ? 'all' : pattern,
      rampSeconds: 0,
    })),
  ],
  minimumMinutes: 0,
});

const scheme = (
  usual: readonly Level[],
  festive: readonly Level[],
  mode: 'energySaving' | 'alternateOne' = 'energySaving',
): SchemeContent => ({
  mode,
  programmes: [
    { key: 1, name: '平日', programme: staged(usual, mode === 'alternateOne' ? mode : 'all') },
    { key: 2, name: '节假日', programme: staged(festive, mode === 'alternateOne' ? mode : 'all') },
  ],
  calendar: {
    rules: [
      {
        programme: 2,
        label: '法定节假日',
        enabled: true,
        when: [{ kind: 'holiday', class: 'public', name: null }],
      },
    ],
    default: 1,
  },
  rotation: 'weekly',
  floorExceptions: [],
});

interface DemoScheme {
  readonly code: string;
  readonly name: string;
  readonly classes: readonly RoadClass[];
  readonly content: SchemeContent;
}

const schemes: readonly DemoScheme[] = [
  {
    code: 'JN-01',
    name: '主干道节能方案',
    classes: ['arterial'],
    content: scheme(
      [
        ['23:00', 70],
        ['02:00', 60],
        ['05:30', 80],
      ],
      [['01:00', 80]],
    ),
  },
  {
    code: 'JN-02',
    name: '次干道节能方案',
    classes: ['secondary'],
    content: scheme(
      [
        ['23:00', 60],
        ['02:00', 40],
        ['05:30', 60],
      ],
      [['01:00', 60]],
    ),
  },
  {
    code: 'JN-03',
    name: '支路节能方案',
    classes: ['branch'],
    content: scheme(
      [
        ['23:00', 60],
        ['02:00', 40],
        ['05:30', 60],
      ],
      [['00:30', 60]],
    ),
  },
  {
    code: 'JN-04',
    name: '公园步道隔一亮一',
    classes: ['park'],
    content: scheme([['22:30', 80]], [['00:30', 80]], 'alternateOne'),
  },
];

const template: TemplateContent = {
  reportLitSeconds: 900,
  reportUnlitSeconds: 3600,
  heartbeatSeconds: 300,
  powerUpLevel: 100,
  fallbackMinutes: 15,
  fallbackProgramme: staged([]),
  minimumMinutes: 10,
  rampSeconds: 0,
  staggerSeconds: 2,
  minLevel: 10,
  light: null,
  latitude: null,
  longitude: null,
  thresholds: {},
};

/** Makes the schemes and the template of the city, and gives each lamp the one of its road's class. */
export async function seedPlans(
  tx: Transaction,
  place: AreaPlace,
  lamps: readonly { readonly id: number; readonly roadClass: RoadClass }[],
  now: Date,
): Promise<void> {
  const made = { workAreaId: place.id, by, at: now };
  const templateId = await addWithVersion(tx, templateKind, {
    ...made,
    code: 'CS-01',
    name: '单灯控制器标准参数',
    content: template,
  });
  for (const { code, name, classes, content } of schemes) {
    const schemeId = await addWithVersion(tx, schemeKind, { ...made, code, name, content });
    const deviceIds = lamps.flatMap(({ id, roadClass }) => (classes.includes(roadClass) ? [id] : []));
    await assign(tx, {
      deviceIds,
      schemeVersionIds: deviceIds.map(() => schemeId),
      templateVersionIds: deviceIds.map(() => templateId),
      fromDay: lightingDay(place, now.getTime()).day,
      publicationId: null,
      by,
      at: now,
    });
  }
}
