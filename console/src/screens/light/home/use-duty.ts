import { useEffect, useEffectEvent, useRef } from 'react';
import { getHome, getHomeChanges, getHomeCurve, getHomeMap, getHomeSince } from '../../../../../contract/light/home.ts';
import { useCall, useLive, useLiveState, useSpaced } from '../../../api/index.ts';
import type { Home } from './calls.ts';

/**
 * In a city something changes every second. The figures are asked for at most every 20 s, lines and map at most every
 * 40 s: at most four calls in half a minute.
 */
const figuresMs = 20_000;
const restMs = 40_000;
/** Lines and map also show what the figures do not count (gateways, chargers): they are never older than this, ms. */
const restAnywayMs = 60_000;
/** The live line announces changes; without it the page asks by itself, ms. */
const withLiveMs = 300_000;
const withoutLiveMs = 60_000;

/** What lines and map are made of, as far as the figures show it: power in steps of some five percent. */
const standing = ({ faults, online, litRate, energy }: Home): string =>
  JSON.stringify([
    faults.byCode,
    online,
    litRate.counted,
    litRate.strict.numerator,
    energy.powerKw === null ? null : Math.round(Math.log1p(energy.powerKw) * 20),
  ]);

/** The answers the duty page shows, kept as fresh as they need to be. */
export function useDuty() {
  const every = useLiveState().state === 'live' ? withLiveMs : withoutLiveMs;
  const home = useCall(getHome, undefined, { every });
  const curve = useCall(getHomeCurve, undefined, { every: withLiveMs });
  const changes = useCall(getHomeChanges, { query: { size: 20 } });
  const map = useCall(getHomeMap);
  const since = useCall(getHomeSince, undefined, { staleTime: 60_000 });
  const askFigures = useSpaced(() => void home.refetch(), figuresMs);
  const askRest = useSpaced(() => {
    void changes.refetch();
    void map.refetch();
  }, restMs);
  useLive('home', (message) => {
    if (message.type !== 'home' && message.type !== 'stale') return;
    if (message.type === 'home') return askFigures();
    askFigures(0);
    askRest(0);
  });
  const now = home.data ? standing(home.data) : undefined;
  const before = useRef(now);
  useEffect(() => {
    if (now === undefined || before.current === now) return;
    const first = before.current === undefined;
    before.current = now;
    // The first figures came together with the first lines.
    if (!first) askRest();
  });
  const { dataUpdatedAt, errorUpdatedAt } = changes;
  const anyway = useEffectEvent(() => {
    if (document.visibilityState === 'visible') askRest();
  });
  // It counts from the last answer.
  useEffect(() => {
    const timer = setInterval(() => anyway(), restAnywayMs);
    return () => clearInterval(timer);
  }, [dataUpdatedAt, errorUpdatedAt]);
  return { home, curve, changes, map, since };
}
