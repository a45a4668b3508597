import { breather } from '../../platform/breather.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { partOfId, WideMap } from '../../platform/wide-map.ts';
import { findBehind, loadReports, type Report } from './reports.store.ts';

/** What a device was told last. */
export interface Told {
  readonly version: number;
  /** Of the plan in it; null: it has none. */
  readonly planHash: string | null;
  /** Epoch ms. */
  readonly at: number;
}

export interface RetellingParts {
  readonly db: Db;
  readonly clock: Clock;
  /** What this process told a device last; undefined: nothing. */
  readonly toldOf: (id: number) => Told | undefined;
  /** Whether the broker keeps settings for devices that are away. */
  readonly keeps: () => boolean;
}

export interface Retelling {
  /** It was told something else than before. */
  told(id: number, what: Told): void;
  /** It is set no more. */
  forget(id: number): void;
  /**
   * These devices said which settings or which plan they have, or came (`isComing`); those that are to be told again now.
   */
  heard(ids: readonly number[], isComing: boolean): Promise<number[]>;
  /** The same of those that were heard of, or are looked at, by now. At most `most`. */
  due(most: number): Promise<number[]>;
  /** It is told the table alone instead of this plan, as it was heard of and took over nothing. */
  isSmall(id: number, planHash: string | null): boolean;
  /** Those that were found to leave a plan for its size since this was asked last. */
  refusals(): Refusal[];
  /** These could not be noted. */
  giveBack(refused: readonly Refusal[]): void;
}

/** A device that leaves the messages with this plan. */
export interface Refusal {
  readonly id: number;
  readonly planHash: string;
}

/** A plan that may be too large for a device: it is told the table alone, and the plan once more when it took that over. */
interface Doubt {
  readonly planHash: string;
  readonly tells: 'table' | 'plan';
}

interface Watched {
  lookAt: number;
  /** How often it was told the same again. */
  tries: number;
  /** It said since it was told that it has something else, or that it came. */
  isAsking: boolean;
  readonly doubt: Doubt | null;
}

/** A device that lacks what it was told, at an instant. */
interface Case {
  readonly report: Report;
  readonly told: Told;
  readonly one: Watched;
  readonly now: number;
}
/** When it was last heard of, epoch ms. */
const heardOf = ({ heardAt }: Report): number => heardAt?.getTime() ?? 0;

/** A device is told again at most so often, each time after twice as long, ms. */
const pauseMs = 10 * 60_000;
const mostDoublings = 7;
/** A device that is there and took over nothing when it was told so often is told the table alone, once. */
const smallTry = 2;
/** Who is heard of so long after a telling has heard it, or never will, ms. */
const hearingMs = 30_000;
/** Where the broker keeps nothing a device that comes is told at once, but not more often than this, ms. */
const comingMs = 30_000;
/** Reports looked up by one statement. */
const atOnce = 1000;

/**
 * Devices that report other settings or another plan than they were told last. What is kept is by this process: the
 * next one tells all devices when it starts, and looks from then on.
 */
export function createRetelling({ db, clock, toldOf, keeps }: RetellingParts): Retelling {
  const watched = new WideMap<number, Watched>(partOfId);
  const refused: Refusal[] = [];

  const isOther = ({ version, saysPlan, planHash }: Report, told: Told): boolean =>
    (version !== null && version !== told.version) || (saysPlan && planHash !== told.planHash);

  /** It may have come without what it was told while it was away. */
  const isUnknown = ({ version, saysPlan, planHash }: Report, told: Told): boolean =>
    version === null && !(saysPlan && planHash !== null && planHash === told.planHash);

  const pauseOf = ({ tries }: Watched): number => pauseMs * 2 ** Math.min(tries, mostDoublings);

  const hasOtherVersion = ({ version }: Report, told: Told): boolean => version !== null && version !== told.version;

  /** It was told what the doubt is about. */
  const isAbout = ({ planHash, tells }: Doubt, told: Told): boolean =>
    told.planHash === (tells === 'plan' ? planHash : null);

  /** It is told again now, and looked at once more after the pause. */
  function again(id: number, { report, told, one, now }: Case): number[] {
    const { doubt } = one;
    const tries = doubt && !isAbout(doubt, told) ? 1 : one.tries + 1;
    // Who says another version has not taken over the message; who runs another plan than it says has.
    const isDoubtful = tries === smallTry && told.planHash !== null && hasOtherVersion(report, told);
    const next: Doubt | null = isDoubtful ? { planHash: told.planHash, tells: 'table' } : null;
    watched.set(id, { lookAt: now + pauseOf({ ...one, tries }), tries, isAsking: false, doubt: next });
    return [id];
  }

  /** It lacks what it was told, and its turn has come. */
  function lacking(id: number, one: Case): number[] {
    const { report, told, now } = one;
    const { doubt } = one.one;
    if (doubt?.tells !== 'plan' || !isAbout(doubt, told) || !hasOtherVersion(report, told)) return again(id, one);
    // It took over the table between two tellings of the plan: it hears, and leaves the plan.
    if (heardOf(report) >= told.at + hearingMs) {
      refused.push({ id, planHash: doubt.planHash });
      watched.delete(id);
    } else watched.set(id, { ...one.one, lookAt: now + pauseMs, isAsking: false });
    return [];
  }

  /** It has what it was told. Who has the table alone may have heard nothing before it: it is told the plan once more. */
  function settle(id: number, told: Told | undefined, report: Report | undefined, now: number): number[] {
    const doubt = watched.get(id)?.doubt;
    watched.delete(id);
    if (doubt?.tells !== 'table' || !told || !isAbout(doubt, told) || report?.version !== told.version) return [];
    watched.set(id, { lookAt: now + pauseMs, tries: 0, isAsking: false, doubt: { ...doubt, tells: 'plan' } });
    return [id];
  }

  function judge(report: Report, now: number, isComing: boolean): number[] {
    const { id } = report;
    const told = toldOf(id);
    // It was not there when all were told.
    if (!told) return isComing ? [id] : [];
    const one = watched.get(id) ?? { lookAt: now, tries: 0, isAsking: false, doubt: null };
    if (!isOther(report, told) && !(isComing && isUnknown(report, told))) return settle(id, told, report, now);
    const from = told.at + (isComing ? comingMs : pauseOf(one));
    // Who comes may have been away when it was told.
    if (now >= from) return (isComing ? again : lacking)(id, { report, told, one, now });
    watched.set(id, { ...one, lookAt: from, isAsking: true });
    return [];
  }

  return {
    told(id, what) {
      const { doubt = null, tries = 0 } = watched.get(id) ?? {};
      const kept = doubt && isAbout(doubt, what) ? { doubt, tries } : { doubt: null, tries: 0 };
      watched.set(id, { lookAt: what.at + pauseMs, isAsking: false, ...kept });
    },
    forget: (id) => watched.delete(id),
    isSmall(id, planHash) {
      const doubt = watched.get(id)?.doubt;
      return doubt?.tells === 'table' && doubt.planHash === planHash;
    },
    refusals: () => refused.splice(0),
    giveBack: (those) => void refused.push(...those),
    async heard(ids, isComing) {
      const mayLack = isComing && !keeps();
      const all = mayLack ? [...new Set([...ids, ...(await findBehind(db, ids))])] : ids;
      const found: number[] = [];
      for (let at = 0; at < all.length; at += atOnce) {
        const reports = await loadReports(db, all.slice(at, at + atOnce));
        const now = clock.now().getTime();
        found.push(...reports.flatMap((report) => judge(report, now, mayLack)));
      }
      return found;
    },
    async due(most) {
      const now = clock.now().getTime();
      const ids: number[] = [];
      const leave = breather();
      let looked = 0;
      for (const [id, { lookAt }] of watched) {
        if (lookAt <= now) ids.push(id);
        looked += 1;
        if (looked % atOnce === 0) await leave();
      }
      const found: number[] = [];
      for (let at = 0; at < ids.length && found.length < most; at += atOnce) {
        const some = ids.slice(at, at + atOnce);
        const reports = new Map((await loadReports(db, some)).map((report) => [report.id, report]));
        for (const id of some) {
          const [one, report, told] = [watched.get(id), reports.get(id), toldOf(id)];
          if (!one || found.length >= most) continue;
          if (!report || !told || !(one.isAsking || isOther(report, told)))
            found.push(...settle(id, told, report, now));
          else if (one.isAsking || heardOf(report) > told.at) found.push(...lacking(id, { report, told, one, now }));
          // Nobody heard of it since: it has not got it yet.
          else watched.set(id, { ...one, lookAt: now + pauseOf(one) });
        }
      }
      return found;
    },
  };
}
