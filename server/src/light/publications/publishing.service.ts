import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { criteriaDefaults } from '../../../../contract/light/first-part.ts';
import {
  publicationBounds,
  type createPublication,
  type previewPublication,
} from '../../../../contract/light/publications.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { tried, type Db, type Transaction } from '../../platform/db/index.ts';
import { codeOf } from '../../platform/start-error.ts';
import {
  Refusal,
  refuse,
  refuseFields,
  type Caller,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { canaryCount, isSpread, lockDarkening, readSettings, waitsForSecond } from '../commands/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { assess, type Asked, type Assessment } from './assess.ts';
import { judgedFirst } from './judged-first.ts';
import { whysFor, withWhys, type Finding } from './found.ts';
import { canaryProblems, dayProblems, problemsOfForm, todayAt, versionProblems } from './publications.rules.ts';
import { findChange } from './change.store.ts';
import * as store from './publications.store.ts';
import { hashesOf, refuseOther, type RequestHashes } from './request.ts';
import { lampsOf } from './scope.ts';

export interface PublishingParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: LampPlans;
}
/** A version that is made together with its publication: settings of lamps of their own. */
export interface Making {
  /** Of the operation log. */
  readonly action: string;
  readonly contentHash: string;
  /** `excepted`: the classes of roads below whose floor its lamps were found; any, while that is found out. */
  readonly make: (
    tx: Transaction,
    lamps: readonly store.Lamp[],
    excepted?: ReadonlySet<unknown>,
  ) => Promise<store.Version<SchemeContent>>;
}
type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Body = BodyOf<typeof createPublication>;
type Wanted = BodyOf<typeof previewPublication>;
type Created = ReplyOf<typeof createPublication>;
/** The client's own id of a request, and the content it was sent with. */
interface Request {
  readonly id: string;
  readonly hashes: RequestHashes;
}

interface ToMake {
  readonly body: Body;
  readonly asked: Asked & { readonly names: readonly string[] };
  readonly making: Making | undefined;
  readonly request: Request | undefined;
}

/** Before the on-time of the evening nothing new is told for so long, ms. */
const guardMs = 30 * 60_000;

/** What a publication would do, and its making. */
export function createPublishing({ db, bus, clock, plans }: PublishingParts) {
  async function resolve(
    caller: Caller,
    body: Wanted,
    making?: Making,
  ): Promise<Asked & { readonly names: readonly string[]; readonly lightingDay: Day }> {
    const unversioned = making ? [] : versionProblems(body);
    if (unversioned.length > 0) throw refuseFields(...unversioned);
    const now = clock.now();
    const [scheme, template] = await Promise.all([
      body.schemeId === undefined ? null : store.findScheme(db, body.schemeId, body.schemeNumber),
      body.templateId === undefined ? null : store.findTemplate(db, body.templateId, body.templateNumber),
    ]);
    if (scheme === undefined || template === undefined) throw refuse('notFound');
    const foreign = (area: number) => caller.workAreas !== 'all' && !caller.workAreas.includes(area);
    for (const version of [scheme, template])
      if (version && version.workAreaId !== null && foreign(version.workAreaId)) throw refuse('foreignWorkArea');
    const { lamps, names } = await lampsOf(db, caller, body.scope, publicationBounds.scope);
    const days = await dayFor(lamps[0].workAreaId, body.effectiveFrom, now);
    return { lamps, names, scheme, template, ...days, now };
  }

  /** The lighting day of now, and the one asked for, else the current one before the guard of its evening, else the next. */
  async function dayFor(
    area: number,
    asked: Day | undefined,
    now: Date,
  ): Promise<{ effectiveFrom: Day; lightingDay: Day }> {
    const place = (await loadPlaces(db, [area])).get(area);
    const at = now.getTime();
    const today = todayAt(place, now);
    if (asked === undefined) {
      const on = place ? nightOf(defaultPlan(place), today).on : null;
      return { effectiveFrom: on !== null && at >= on - guardMs ? addDays(today, 1) : today, lightingDay: today };
    }
    const problems = dayProblems(asked, today);
    if (problems.length > 0) throw refuseFields(...problems);
    return { effectiveFrom: asked, lightingDay: today };
  }

  /** What it would do, with the version that is made together with it. */
  const judge = async (tx: Transaction, asked: Asked, making: Making | undefined): Promise<Assessment> =>
    assess(tx, plans, making ? { ...asked, scheme: await making.make(tx, asked.lamps) } : asked);

  const secondFor = async (
    tx: Transaction,
    caller: Caller,
    { lamps, now }: Asked,
    { darker, findings }: Assessment,
    confirmCount: number | undefined,
  ): Promise<boolean> => {
    const { policy } = await readSettings(tx);
    const excepted = findings.some(({ code }) => code === 'floorException');
    return waitsForSecond(tx, {
      actorId: caller.accountId,
      lamps: darker.length > 0 ? darker : excepted ? lamps : [],
      decided: lamps,
      endOf: () => null,
      policy,
      confirmCount,
      ...(excepted ? { anyway: lamps.length } : {}),
      now,
    });
  };
  /** The answer to a request that was answered before. */
  async function answered(from: Db | Transaction, caller: Caller, request?: Request): Promise<Created | undefined> {
    if (!request) return undefined;
    const known = await store.findRequest(from, caller.accountId, request.id);
    if (!known) return undefined;
    refuseOther(known.request, request.hashes);
    return { id: known.id, total: known.total, phase: phaseOf(known.phase) };
  }
  const shown = <C>(version: store.Version<C> | null) =>
    version && { id: version.id, code: version.code, name: version.name, number: version.number, hash: version.hash };

  /** Judges it, and makes it while nothing else that is judged with it is made. */
  async function make(tx: Transaction, caller: Caller, { body, asked, making, request }: ToMake): Promise<Created> {
    const { lamps, names, template, effectiveFrom, now } = asked;
    const { canary = null } = body;
    const judged = await judgedFirst(db, tx, { lamps, now, judge: (trial) => judge(trial, asked, making) });
    // The same request may have come twice at once.
    const made = await answered(tx, caller, request);
    if (made) return made;
    await refuseConflict(tx, lamps);
    const found = await judged();
    const { findings } = found;
    refuseFindings(withWhys(findings, await whysFor(tx, caller, findings)), body.acceptedFindings);
    const reason = body.reason?.trim() || null;
    const able = lamps.filter(({ id }) => !found.cannot.has(id));
    if (able.length === 0) throw refuse(lamps.some(({ enabled }) => enabled) ? 'noDevices' : 'devicesDisabled');
    const count = canary && able.length > 1 ? canaryCount(canary, able.length) : null;
    const first = new Set(
      count === null ? [] : able.flatMap(({ id }, i) => (isSpread(i, count, able.length) ? id : [])),
    );
    const [area] = [...new Set(lamps.map(({ workAreaId }) => workAreaId))];
    await lockDarkening(tx, caller.accountId);
    const second = await secondFor(tx, caller, asked, found, body.confirmCount);
    if (second && reason === null)
      throw refuse('reasonNeeded', {}, { fields: [{ field: 'reason', rule: 'required' }] });
    const { policy } = await readSettings(tx);
    const excepted = new Set(
      // An exception ends; it is no reason of the version.
      findings.flatMap(({ code, params }) =>
        code === 'floorException' && !('exception' in params) ? [params['roadClass']] : [],
      ),
    );
    const scheme = making ? await making.make(tx, lamps, excepted) : asked.scheme;
    const phase = second ? 'awaitingApproval' : count === null ? 'tellingAll' : 'tellingCanary';
    const id = await store.insertPublication(tx, {
      workAreaId: lamps.every(({ workAreaId }) => workAreaId === area) ? (area ?? null) : null,
      schemeVersionId: scheme?.id ?? null,
      templateVersionId: template?.id ?? null,
      scope: { ...scopeOf(body), names },
      effectiveFrom,
      phase,
      canary: count === null ? null : { count },
      criteria: { ...criteriaDefaults, ...body.criteria },
      autoRevert: body.autoRevert ?? true,
      goOn: body.goOn ?? false,
      findings,
      darkens: found.darker.length,
      approval: second
        ? { expiresAt: new Date(now.getTime() + policy.approvalMinutes * 60_000).toISOString(), approved: null }
        : null,
      reverts: null,
      reason,
      total: lamps.length,
      actorId: caller.accountId,
      actorName: caller.username,
      requestId: request?.id ?? null,
      request: request?.hashes ?? null,
      at: now,
    });
    const canBeTold = (lamp: number) => !second && (count === null || first.has(lamp));
    await store.insertItems(
      tx,
      id,
      lamps.map((lamp) => ({
        deviceId: lamp.id,
        canary: first.has(lamp.id),
        state: found.cannot.has(lamp.id) ? 'cannot' : canBeTold(lamp.id) ? 'pending' : 'waiting',
        reason: found.cannot.get(lamp.id) ?? null,
      })),
    );
    return { id, total: lamps.length, phase: phaseOf(phase) };
  }

  return {
    /** What the rules say of a form, for whom it is refused. */
    problems: (caller: Caller, body: Sound<Body>) => problemsOfForm(db, caller, body, clock.now()),

    async preview(caller: Caller, body: Wanted, making?: Making): Promise<ReplyOf<typeof previewPublication>> {
      const asked = await resolve(caller, body, making);
      const { assessment, needsSecond } = await tried(db, async (tx) => {
        const found = await judge(tx, { ...asked, lampsOf: body.lampsOf }, making);
        const second = await secondFor(tx, caller, asked, found, undefined).catch((thrown: unknown) => {
          if (thrown instanceof Refusal && thrown.code === 'countNeeded') return false;
          throw thrown;
        });
        return { assessment: found, needsSecond: second };
      });
      const reasons = Map.groupBy(assessment.cannot.values(), (reason) => reason);
      return {
        scheme: shown(asked.scheme),
        template: shown(asked.template),
        effectiveFrom: asked.effectiveFrom,
        lightingDay: asked.lightingDay,
        lamps: asked.lamps.length,
        changed: assessment.changed,
        cannot: [...reasons].map(([reason, all]) => ({ reason, count: all.length })),
        darkens: assessment.darker.length,
        needsSecond,
        kwh: assessment.kwh,
        findings: withWhys(assessment.findings, await whysFor(db, caller, assessment.findings)),
      };
    },

    async create({ caller, change }: Ctx, body: Body, making?: Making): Promise<Created> {
      const request =
        body.requestId === undefined
          ? undefined
          : {
              id: body.requestId.toLowerCase(),
              hashes: hashesOf(making ? { ...body, made: making.contentHash } : body),
            };
      const known = await answered(db, caller, request);
      if (known) return known;
      const asked = await resolve(caller, body, making);
      const unclear = canaryProblems(body);
      if (unclear.length > 0) throw refuseFields(...unclear);
      // Who cannot have the lamps waits for nobody, unless the same request came twice at once.
      const conflict = await conflictOf(db, asked.lamps);
      if (conflict) {
        const before = await answered(db, caller, request);
        if (before) return before;
        throw conflict;
      }
      const action = making?.action ?? 'publication.start';
      const facts = {};
      const made = await change({ action, facts }, async (tx) => {
        const one = await make(tx, caller, { body, asked, making, request });
        Object.assign(facts, await findChange(tx, one.id));
        return one;
      }).catch(async (thrown: unknown) => {
        // Of two at the same moment the database lets one in.
        if (codeOf(thrown) === '23505') await refuseConflict(db, asked.lamps);
        throw thrown;
      });
      bus.publish('publications.changed', {});
      return made;
    },
  };
}

/** The refusal of lamps that another publication has. */
async function conflictOf(from: Db | Transaction, lamps: readonly store.Lamp[]): Promise<Refusal | undefined> {
  const conflict = await store.findConflict(
    from,
    lamps.map(({ id }) => id),
  );
  return conflict && refuse('lampInPublication', { ...conflict }, { body: { ...conflict } });
}

async function refuseConflict(from: Db | Transaction, lamps: readonly store.Lamp[]): Promise<void> {
  const conflict = await conflictOf(from, lamps);
  if (conflict) throw conflict;
}

/** Errors block, and each warning has to be accepted. */
function refuseFindings(findings: Finding[], accepted: readonly string[] = []): void {
  if (findings.some(({ severity }) => severity === 'error')) throw refuse('findingsBlock', {}, { body: { findings } });
  if (findings.some(({ code, severity }) => severity === 'warning' && !accepted.includes(code)))
    throw refuse(
      'findingsNotAccepted',
      {},
      { fields: [{ field: 'acceptedFindings', rule: 'required' }], body: { findings } },
    );
}

const scopeOf = ({ scope: { deviceIds, ...places } }: Wanted) => ({
  ...places,
  ...(deviceIds ? { devices: deviceIds.length } : {}),
});
const phaseOf = (phase: string): Created['phase'] => phase as Created['phase'];
