import { familyOf } from '../../../../catalogue/index.ts';
import type { Language } from '../../../../catalogue/languages.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import { classFloors, type RoadClass } from '../../../../catalogue/lighting/floors.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { whySentence } from '../../../../catalogue/lighting/why.ts';
import { namesIn } from '../../../../catalogue/locales/index.ts';
import { commandLanes } from '../../../../contract/light/commands.ts';
import type { whyLamp } from '../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, refuseFields } from '../../platform/http/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import {
  areaPlan,
  defaultThresholds,
  loadManualSpans,
  powerOf,
  reportPeriods,
  type Condition,
} from '../lamps/index.ts';
import { hashOf, type LampPlans } from '../plans/index.ts';
import { shownBy, tolerance } from '../publications/index.ts';
import { layersBy, loadAuthors } from './authors.ts';
import { followedAt, inForceAt, nextChange, type Inputs, type WhyInput } from './layers.ts';
import { suspicionsOf } from './suspicions.ts';
import * as store from './why.store.ts';

export interface WhyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of' | 'abilities'>;
}
type Answer = ReplyOf<typeof whyLamp>;

const dayMs = 86_400_000;
const minuteMs = 60_000;
const lastCommands = 5;
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** How long what a cabinet says of its contactors holds, ms. */
function contactorGoodMs(): number {
  const { controllerSilentMinSeconds, controllerSilentPeriods } = defaultThresholds;
  return Math.max(controllerSilentMinSeconds, controllerSilentPeriods * reportPeriods().controllerSeconds) * 1000;
}

/** Why a lamp is as it is. */
export function createWhy({ db, clock, plans }: WhyParts) {
  const goodMs = contactorGoodMs();

  async function lampAt(scope: Condition, id: number, at: Date) {
    const lamp = await store.findLamp(db, id, scope, at);
    if (!lamp) throw refuse('notFound');
    if (!lamp.visible) throw refuse('foreignWorkArea');
    return lamp;
  }

  async function inputsOf(lamp: store.WhyLamp, at: Date, reading: store.WhyReading | undefined, away: Date | null) {
    const now = at.getTime();
    const own = (await plans.of(db, [lamp.id], now)).get(lamp.id) ?? null;
    const place = (await loadPlaces(db, [lamp.workAreaId])).get(lamp.workAreaId);
    const plan = own ?? (place ? defaultPlan(place) : null);
    const spans = (await loadManualSpans(db, [lamp.id], new Date(now - dayMs))).get(lamp.id) ?? [];
    const fallbackMinutes = own ? (followedAt(own, now)?.template?.content.fallbackMinutes ?? null) : null;
    const fallbackAt = away && fallbackMinutes !== null ? away.getTime() + fallbackMinutes * minuteMs : null;
    const says = textOf(reading?.values['reason']);
    const isLocal = lamp.selector === 'manual' || says === 'local';
    const inputs: Inputs = {
      plan,
      own,
      manual: spans.filter(({ from, to }) => from <= now && to > from),
      local: isLocal
        ? {
            id: lamp.selectorId ?? lamp.id,
            label: lamp.selectorCode ?? lamp.code,
            since: (lamp.selectorAt ?? reading?.at ?? at).getTime(),
          }
        : null,
      fallbackSince: fallbackAt !== null && fallbackAt <= now ? fallbackAt : null,
    };
    return { inputs, fallbackMinutes };
  }

  return {
    async of(scope: Condition, id: number, query: { readonly at?: string }, language: Language): Promise<Answer> {
      const present = clock.now();
      const at = query.at === undefined ? present : new Date(query.at);
      if (at > present) throw refuseFields({ field: 'at', rule: 'maximum', values: { limit: present.toISOString() } });
      const lamp = await lampAt(scope, id, at);
      const [reading, troubles] = await Promise.all([store.findReading(db, id, at), store.findTroubles(db, id, at)]);
      const neverHeard = reading === undefined && (troubles.neverHeard || troubles.awayReason === 'neverHeard');
      // A device that never came has no memory to go by.
      const away = neverHeard ? null : troubles.awaySince;
      const { inputs, fallbackMinutes } = await inputsOf(lamp, at, reading, away);
      const now = at.getTime();
      const inForce = inForceAt(inputs, now);
      const shown = reading ? shownBy(reading, lamp.ratedWatts) : null;
      const commands = await store.findCommands(db, id, {
        at,
        limit: lastCommands,
        also: inputs.manual.map(({ commandId }) => commandId),
      });
      const changedAt = changedSince(inForce.trace);
      const isOld = reading === undefined || (changedAt !== null && reading.at.getTime() < changedAt);
      const agrees =
        shown === null || isOld || inForce.layer === 'local' || !inputs.plan
          ? null
          : Math.abs(shown - inForce.level) <= tolerance;
      const feed = {
        lighting: lamp.lighting,
        contactor: lamp.contactor,
        contactorAt: lamp.contactorAt?.getTime() ?? null,
      };
      const planned = inputs.plan ? areaPlan(inputs.plan, now) : { planned: [] };
      const power = powerOf(feed, planned, now, goodMs);
      const suspicions = suspicionsOf({
        at: now,
        lamp,
        inputs,
        inForce,
        power,
        troubles,
        commands: commands.named,
        hashes: {
          runs: troubles.runs,
          // What it was told before the newest is not kept.
          told: inputs.own && !(troubles.toldAt && troubles.toldAt > at) ? hashOf(inputs.own, now) : null,
        },
        agrees,
        readingAt: reading?.at.getTime() ?? null,
        changedAt,
        fallbackMinutes,
        neverHeard,
      });
      const authors = await loadAuthors(db, lamp.id, { inputs, at: now, commands: commands.named });
      const layers = layersBy(inForce, authors);
      const expected = { level: inForce.level, layer: inForce.layer };
      const next = nextChange(inputs, now);
      const answer = {
        at: at.toISOString(),
        timeZone: lamp.timeZone,
        lamp: lamp.code,
        observed: reading ? { ...observedOf(reading, shown, now), planHash: troubles.runs } : null,
        expected,
        layers,
        agrees,
        suspicions,
        next: next && { at: new Date(next.at).toISOString(), level: next.level, layer: next.layer },
        lastCommands: commands.latest.map(commandView),
        supply: {
          loop: lamp.loop,
          box: lamp.box,
          powered: power?.on ?? null,
          by: power?.by ?? null,
          contactor: lamp.contactor,
          contactorAt: lamp.contactorAt?.toISOString() ?? null,
        },
        floor: floorOf(lamp.roadClass),
        missing: [
          ...(reading || (await store.hasReadings(db, id, at)) ? [] : (['readings'] as const)),
          ...(inputs.plan ? [] : (['plan'] as const)),
        ],
      };
      return { ...answer, sentence: whySentence(namesIn(language), answer, language) };
    },
  };
}

/** Since when exactly this is asked: the latest beginning or end of all that was asked. */
function changedSince(trace: readonly { readonly applies: boolean; readonly input: WhyInput }[]): number | null {
  const begun = trace.flatMap(({ applies, input: { source } }) => {
    const at = applies ? source.since : source.until;
    return at === null ? [] : [at];
  });
  return begun.length === 0 ? null : Math.max(...begun);
}

function observedOf(reading: store.WhyReading, level: number | null, now: number) {
  const { power, relay, reason } = reading.values;
  return {
    level,
    power: numberOf(power),
    relay: typeof relay === 'boolean' ? relay : null,
    reason: textOf(reason),
    readingAt: reading.at.toISOString(),
    ageSeconds: Math.round((now - reading.at.getTime()) / 1000),
  };
}

function floorOf(roadClass: RoadClass | null): Answer['floor'] {
  const level = roadClass === null ? 0 : classFloors[roadClass];
  return roadClass === null || level === 0 ? null : { roadClass, level };
}

const lights = new Map((familyOf(lampFamily)?.commands ?? []).map(({ key, light }) => [key, light] as const));

function commandView({ args, lane, approvedBy: _approved, ...row }: store.WhyCommand): Answer['lastCommands'][number] {
  return {
    ...row,
    level: lights.get(row.command)?.(args) ?? null,
    lane: commandLanes[lane] ?? 'manual',
    at: row.at.toISOString(),
    until: row.until?.toISOString() ?? null,
  };
}
