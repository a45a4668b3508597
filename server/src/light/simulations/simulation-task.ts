import type { Static } from 'typebox';
import { yearFindingCodes, type YearFindingCode } from '../../../../catalogue/lighting/plan/year-findings.ts';
import type { PlanSimulation } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import { gather, type Gathered } from './gathering.ts';
import { shownNights } from './shown-nights.ts';
import * as store from './simulations.store.ts';
import type { KeptFinding } from './simulations.types.ts';
import { differInThread, type ThreadResult } from './thread.ts';

type Params = Static<typeof PlanSimulation>;
export interface SimulationTaskParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly areasOf: AreasOf;
}

/** Reading the lamps is so much of the work. */
const readingShare = 0.4;
/** More findings than anybody reads are left out, the slightest first. */
const mostFindings = 500;
const severities = ['error', 'warning', 'note'] as const;

/** The difference of two plans as long work. It leaves no file: its result stands in the database. */
export function simulationTask({ db, clock, areasOf }: SimulationTaskParts): {
  readonly 'plan.simulation': TaskKind<Params>;
} {
  return {
    'plan.simulation': {
      permission: 'plan.query',
      action: 'plan.simulate',
      check: ({ lamps }) => Promise.resolve({ total: lamps }),
      async run({ simulationId, lamps }, { accountId }, progress, signal) {
        const simulation = await store.findSimulation(db, simulationId);
        if (!simulation) throw refuse('notFound');
        const { asked } = simulation;
        const caller = await scopeOfAccount(areasOf, accountId, asked.workAreaId);
        const gathered = await gather(asked, {
          db,
          caller,
          progress: (seen) => progress(Math.round(seen * readingShare)),
          signal,
        });
        if (!(await store.takeResult(db, simulationId, gathered.key))) {
          const { input, ids, classOf } = gathered;
          const result = await differInThread(
            { input, ids, classOf },
            (done) => progress(Math.round(lamps * (readingShare + done * (1 - readingShare)))),
            signal,
          );
          await keep(db, simulationId, gathered, result, clock.now());
        }
        progress(lamps);
        return null;
      },
    },
  };
}

async function keep(db: Db, simulationId: number, gathered: Gathered, result: ThreadResult, at: Date): Promise<void> {
  const findings = [...result.findings, ...findingsOfTracks(gathered), ...findingsOfDevices(gathered)]
    .toSorted(
      (a, b) =>
        severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) ||
        b.finding.lamps - a.finding.lamps,
    )
    .slice(0, mostFindings);
  await store.putResult(db, simulationId, {
    key: gathered.key,
    outcome: {
      lamps: result.lamps,
      withoutPlace: gathered.withoutPlace,
      watts: gathered.watts,
      days: gathered.input.days,
      months: result.months,
      findings: findings.map(({ finding }) => finding),
      testNights: shownNights(gathered),
    },
    levels: result.levels,
    lamps: findings.map(({ lamps }) => lamps),
    at,
  });
}

type Found = ThreadResult['findings'][number];

const finding = (
  code: YearFindingCode,
  more: Pick<KeptFinding, 'side' | 'first' | 'lamps'> & Partial<KeptFinding>,
) => ({
  code,
  severity: yearFindingCodes[code],
  label: null,
  programme: null,
  period: null,
  road: null,
  nights: 0,
  of: null,
  hours: null,
  ...more,
});

/** What calendars leave open, and plans that are too large for a message: of all lamps of the track. */
function findingsOfTracks({ tracks, input, ids, classOf }: Gathered): Found[] {
  return (['a', 'b'] as const).flatMap((side) =>
    tracks.flatMap(({ track, calendar, tooLarge }, index): Found[] => {
      if (calendar.length === 0 && !tooLarge) return [];
      const lamps = [...ids].filter((_, lamp) => {
        const plan = input.classes[classOf[lamp] ?? 0]?.[side];
        return plan !== undefined && input.plans[plan]?.track === index;
      });
      if (lamps.length === 0) return [];
      const about = { side, label: track.label, lamps: lamps.length } as const;
      return [
        ...calendar.map(({ code, rule, first, nights }) => ({
          finding: finding(code, { ...about, programme: rule, first, nights, of: input.days }),
          lamps,
        })),
        ...(tooLarge ? [{ finding: finding('messageTooLarge', { ...about, first: input.from }), lamps }] : []),
      ];
    }),
  );
}

const findingsOfDevices = ({ inabilities, input }: Gathered): Found[] =>
  inabilities.map(({ track, lamps }) => ({
    finding: finding('cannot', {
      side: 'b',
      label: input.tracks[track]?.label ?? null,
      first: input.from,
      lamps: lamps.length,
    }),
    lamps,
  }));
