import type { Period, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import { contentOfSchedule, usualSchedule, type Schedule } from '../../../../catalogue/lighting/plan/schedule.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { RoadClass } from '../../../../simulator/city/types.ts';
import { assign } from '../../light/plans/index.ts';
import { addBegun, addTold, holidayFindings, namedFindings } from '../../light/publications/index.ts';
import { insertSchedule } from '../../light/schedules/index.ts';
import { addWithVersion, contentHashOf, schemeKind, templateKind } from '../../light/versioned/index.ts';
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
  // Road after road within half a minute of dusk, as the eye sees a city light up.
  staggerSeconds: 30,
  minLevel: 10,
  light: null,
  latitude: null,
  longitude: null,
  thresholds: {},
};

/** What is tried on some branch roads: less light late at night. */
const pilot = {
  code: 'JN-05',
  name: '支路深夜节能方案（试点）',
  content: {
    ...scheme([], []),
    programmes: [
      {
        key: 1,
        name: '平日',
        programme: staged([
          ['23:00', 50],
          ['02:00', 30],
          ['05:30', 50],
        ]),
      },
    ],
    calendar: { rules: [], default: 1 },
  },
} satisfies { readonly content: SchemeContent } & Pick<DemoScheme, 'code' | 'name'>;
/** Lamps that the pilot reaches at most, and those of its first part: more would need a second person. */
const pilotLamps = { most: 180, first: 30 };

/** So many lamps burn before windows, with less light at night. */
const quietLamps = 2;
const quietRanges: Schedule['ranges'] = [
  { start: 'on', level: 80, alternate: false },
  { start: '22:00', level: 40, alternate: false },
];

/** Who publishes in the demonstration: the account that every installation has. */
const actor = { id: 1, name: by };
const dayMs = 86_400_000;
/** Until then the devices have delivered what they measured within the last day, ms. */
const deliveredMs = 4 * 60_000;

/** The pilot was published so long ago: what it darkens does not add up with what is commanded at first, ms. */
const begunMs = 15 * 60_000;

interface DemoLamp {
  readonly id: number;
  readonly roadClass: RoadClass;
  readonly street: number;
}

/**
 * Makes the schemes and the template of the city, and gives each lamp the one of its road's class. They were published
 * a day ago, so that the readings of the last day prove it, or do not; a pilot on some branch roads is begun.
 */
export async function seedPlans(
  tx: Transaction,
  place: AreaPlace,
  lamps: readonly DemoLamp[],
  now: Date,
): Promise<void> {
  const made = { workAreaId: place.id, by, at: now };
  const templateId = await addWithVersion(tx, templateKind, {
    ...made,
    code: 'CS-01',
    name: '单灯控制器标准参数',
    content: template,
  });
  const today = lightingDay(place, now.getTime()).day;
  const tried = pilotOf(lamps);
  const quiet = new Set(
    lamps
      .filter(({ id, roadClass }) => roadClass === 'branch' && !tried.has(id))
      .slice(0, quietLamps)
      .map(({ id }) => id),
  );
  const darker = (count: number) => ({ code: 'darker', severity: 'warning', params: { lamps: count } });
  for (const { code, name, classes, content } of schemes) {
    const schemeId = await addWithVersion(tx, schemeKind, { ...made, code, name, content });
    const own = lamps.filter(({ roadClass }) => classes.includes(roadClass)).map(({ id }) => id);
    // Rows of parks are made with the first look at them: what a lamp does by its place in one is not proven from before.
    const published = content.mode === 'alternateOne' ? [] : own.filter((id) => !tried.has(id) && !quiet.has(id));
    const given = own.filter((id) => !published.includes(id));
    await assign(tx, {
      deviceIds: given,
      schemeVersionIds: given.map(() => schemeId),
      templateVersionIds: given.map(() => templateId),
      fromDay: addDays(today, -1),
      publicationId: null,
      by,
      at: now,
    });
    if (published.length > 0)
      await addTold(
        tx,
        {
          workAreaId: place.id,
          schemeVersionId: schemeId,
          templateVersionId: templateId,
          deviceIds: published,
          effectiveFrom: addDays(today, -1),
          reason: name,
          findings: [
            ...(await namedFindings(tx, await holidayFindings(tx, content, [place], today))),
            darker(published.length),
          ],
          actor,
          at: new Date(now.getTime() - dayMs),
        },
        new Date(now.getTime() + deliveredMs),
      );
  }
  if (quiet.size > 0) await seedQuiet(tx, place, { templateVersionId: templateId, deviceIds: [...quiet], at: now });
  if (tried.size === 0) return;
  const schemeVersionId = await addWithVersion(tx, schemeKind, { ...made, ...pilot });
  await addBegun(
    tx,
    {
      workAreaId: place.id,
      schemeVersionId,
      templateVersionId: templateId,
      deviceIds: [...tried].toSorted((a, b) => a - b),
      effectiveFrom: today,
      reason: pilot.name,
      findings: [darker(tried.size)],
      actor,
      at: new Date(now.getTime() - begunMs),
    },
    pilotLamps.first,
  );
}

/** Some lamps before windows have schedule settings of their own since last night. */
async function seedQuiet(
  tx: Transaction,
  place: AreaPlace,
  { at, ...given }: { readonly templateVersionId: number; readonly deviceIds: readonly number[]; readonly at: Date },
): Promise<void> {
  const content = contentOfSchedule({ ...usualSchedule, ranges: quietRanges }, 'schedule');
  const made = { workAreaId: place.id, content, contentHash: contentHashOf(content), by };
  const version = await insertSchedule(tx, { ...made, at: new Date(at.getTime() - dayMs) });
  const darker = { code: 'darker', severity: 'warning', params: { lamps: given.deviceIds.length } };
  await addTold(
    tx,
    {
      ...given,
      workAreaId: place.id,
      schemeVersionId: version.id,
      effectiveFrom: addDays(lightingDay(place, at.getTime()).day, -1),
      reason: '居民反映窗前灯光太亮',
      findings: [darker],
      actor,
      at: new Date(at.getTime() - dayMs),
    },
    new Date(at.getTime() + deliveredMs),
  );
}

/** The lamps of whole branch roads, as many roads as there is room for, half of the lamps at most. */
function pilotOf(lamps: readonly DemoLamp[]): ReadonlySet<number> {
  const tried = new Set<number>();
  const branches = lamps.filter(({ roadClass }) => roadClass === 'branch');
  const most = Math.min(pilotLamps.most, branches.length / 2);
  for (const road of Map.groupBy(branches, ({ street }) => street).values())
    if (tried.size + road.length <= most) for (const { id } of road) tried.add(id);
  return tried;
}
