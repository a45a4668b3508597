import type { Period } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { addEndedException } from '../../light/exceptions/index.ts';
import { addNextVersion, schemeKind } from '../../light/versioned/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { bindAccount, type Devices } from '../../register/devices/index.ts';
import { seedImports } from './files-of-the-office.ts';
import { seedCommands } from './given-commands.ts';
import { lastOf, seedLogs } from './month-of-logs.ts';
import * as store from './office.store.ts';
import { seedPeople } from './people.ts';
import { seedViews } from './views-of-the-office.ts';
import { clockAgo, dayAgo, shiftsOf } from './shifts.ts';

export interface OfficeParts {
  readonly workAreaId: number;
  /** The controller of the cabinet that fails each evening; null: none does. */
  readonly controllerId: number | null;
  readonly devices: Pick<Devices, 'prepared'>;
  readonly files: Pick<Files, 'put'>;
  readonly now: Date;
}

/** Lamps that the park's management may see. */
const parkLamps = 60;
/** The scheme that has a version which no lamp follows yet: it can be published. */
const nextScheme = 'JN-03';
/** That version takes so much more light away after midnight, per cent of full level. */
const less = 10;
const polesInFiles = 48;

/**
 * The office of the demo city: its people, and a month of their work. In the transaction that makes the city: both are
 * there or neither is.
 */
export async function seedOffice(
  tx: Transaction,
  { workAreaId, controllerId, devices, files, now }: OfficeParts,
): Promise<void> {
  const area = await store.findArea(tx, workAreaId);
  const calendar = { timeZone: area.time_zone, now };
  const shifts = shiftsOf(calendar);
  const ids = await seedPeople(tx, {
    workAreaId,
    creator: { accountId: 1, username: 'admin' },
    lastLoginOf: (username) => lastOf(shifts, username),
    now,
  });
  await seedViews(tx, ids);
  const lamps = await store.findLamps(tx, workAreaId);
  const parkLampIds = new Set(
    lamps
      .filter(({ roadClass }) => roadClass === 'park')
      .slice(0, parkLamps)
      .map(({ id }) => id),
  );
  for (const id of parkLampIds) await bindAccount(tx, id, ids['lin.qing']);
  const commands = await seedCommands(tx, { calendar, ids, lamps, parkLampIds, shifts });
  const poles = await store.findPoles(tx, workAreaId, polesInFiles);
  const imports = await seedImports(tx, { calendar, ids, poles, workArea: area.work_code, devices, files });
  const schemeId = await store.findScheme(tx, workAreaId, nextScheme);
  const schemeNumber =
    schemeId === undefined
      ? undefined
      : await addNextVersion(tx, schemeKind, schemeId, {
          changed: darker,
          note: `冬季方案：零点后再降 ${less} 个百分点`,
          by: 'chen.xiao',
          at: now,
        });
  await seedException(tx, { workAreaId, lamps, actor: { id: ids['chen.xiao'], name: 'chen.xiao' }, calendar });
  await seedLogs(tx, { calendar, ids, shifts, entries: [...commands.entries, ...imports.entries] });
  await store.putPlaces(tx, {
    lampId: lamps.find(({ roadClass }) => roadClass === 'arterial')?.id ?? lamps[0]?.id ?? null,
    controllerId,
    commandId: commands.provenId,
    approvalId: commands.waitingId,
    schemeId: schemeId ?? null,
    schemeNumber: schemeNumber ?? null,
    username: 'li.wei',
    importId: imports.waitingId,
  });
}

/** What is dimmed after midnight is dimmed a little more. */
const darker = (content: SchemeContent): SchemeContent => ({
  ...content,
  programmes: content.programmes.map((one) => ({
    ...one,
    programme: {
      ...one.programme,
      periods: one.programme.periods.map((period): Period =>
        period.start !== 'on' && period.start.at.startsWith('0') && period.level > 2 * less
          ? { ...period, level: period.level - less }
          : period,
      ),
    },
  })),
});

/** Two evenings of a feast on the first arterial road: brighter than its scheme. */
async function seedException(
  tx: Transaction,
  {
    workAreaId,
    lamps,
    actor,
    calendar,
  }: {
    readonly workAreaId: number;
    readonly lamps: readonly store.CityLamp[];
    readonly actor: { readonly id: number; readonly name: string };
    readonly calendar: { readonly timeZone: string; readonly now: Date };
  },
): Promise<void> {
  const first = lamps.find(({ roadClass }) => roadClass === 'arterial');
  if (!first) return;
  await addEndedException(tx, {
    workAreaId,
    deviceIds: lamps.filter(({ roadId }) => roadId === first.roadId).map(({ id }) => id),
    scope: { roadIds: [first.roadId], names: [first.roadName] },
    fromDay: dayAgo(calendar, 12),
    toDay: dayAgo(calendar, 11),
    from: clockAgo(calendar, 12, '12:00'),
    to: clockAgo(calendar, 10, '12:00'),
    level: 90,
    reason: '市民文化节期间保障照明',
    actor,
    at: clockAgo(calendar, 14, '15:20'),
  });
}
