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
  told(id: number, at: number): void;
  /** It is set no more. */
  forget(id: number): void;
  /**
   * These devices said which settings or which plan they have, or came (`isComing`); those that are to be told again now.
   */
  heard(ids: readonly number[], isComing: boolean): Promise<number[]>;
  /** The same of those that were heard of, or are looked at, by now. At most `most`. */
  due(most: number): Promise<number[]>;
  /** It is told the table alone, as it was heard of and took over nothing. */
  isSmall(id: number): boolean;
  /** Those that took over the table alone since this was asked last. */
  tookSmall(): number[];
}

interface Watched {
  lookAt: number;
  /** How often it was told the same again. */
  tries: number;
  /** It said since it was told that it has something else, or that it came. */
  isAsking: boolean;
  /** It is told no plan. */
  isSmall: boolean;
}

/** A device is told again at most so often, each time after twice as long, ms. */
const pauseMs = 10 * 60_000;
const mostDoublings = 7;
/** A device that is there and took over nothing when it was told so often is told the table alone, once. */
const smallTry = 2;
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
  const small: number[] = [];

  const isOther = ({ version, saysPlan, planHash }: Report, told: Told): boolean =>
    (version !== null && version !== told.version) || (saysPlan && planHash !== told.planHash);

  /** It may have come without what it was told while it was away. */
  const isUnknown = ({ version, saysPlan, planHash }: Report, told: Told): boolean =>
    version === null && !(saysPlan && planHash !== null && planHash === told.planHash);

  const pauseOf = ({ tries }: Watched): number => pauseMs * 2 ** Math.min(tries, mostDoublings);

  /** It is told again now, and looked at once more after the pause. */
  function again(id: number, one: Watched, told: Told, report: Report, now: number): number {
    const tries = one.tries + 1;
    // Who says another version has not taken over the message; who runs another plan than it says has.
    const isSmall =
      tries === smallTry && told.planHash !== null && report.version !== null && report.version !== told.version;
    watched.set(id, { lookAt: now + pauseOf({ ...one, tries }), tries, isAsking: false, isSmall });
    return id;
  }

  /** It has what it was told. */
  function settle(id: number, told: Told | undefined, report: Report | undefined): void {
    if (watched.get(id)?.isSmall && told && report?.version === told.version) small.push(id);
    watched.delete(id);
  }

  function judge(report: Report, now: number, isComing: boolean): number[] {
    const { id } = report;
    const told = toldOf(id);
    // It was not there when all were told.
    if (!told) return isComing ? [id] : [];
    const one = watched.get(id) ?? { lookAt: now, tries: 0, isAsking: false, isSmall: false };
    if (!isOther(report, told) && !(isComing && isUnknown(report, told))) {
      settle(id, told, report);
      return [];
    }
    const from = told.at + (isComing ? comingMs : pauseOf(one));
    if (now >= from) return [again(id, one, told, report, now)];
    watched.set(id, { ...one, lookAt: from, isAsking: true });
    return [];
  }

  return {
    told(id, at) {
      const { isSmall = false, tries = 0 } = watched.get(id) ?? {};
      watched.set(id, { lookAt: at + pauseMs, tries: isSmall ? tries : 0, isAsking: false, isSmall });
    },
    forget: (id) => watched.delete(id),
    isSmall: (id) => watched.get(id)?.isSmall ?? false,
    tookSmall: () => small.splice(0),
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
          if (!report || !told || !(one.isAsking || isOther(report, told))) settle(id, told, report);
          else if (one.isAsking || (report.heardAt?.getTime() ?? 0) > told.at)
            found.push(again(id, one, told, report, now));
          // Nobody heard of it since: it has not got it yet.
          else watched.set(id, { ...one, lookAt: now + pauseOf(one) });
        }
      }
      return found;
    },
  };
}
