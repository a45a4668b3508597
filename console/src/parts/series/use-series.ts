import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Resolution } from '../../../../contract/history.ts';
import { getHistorySeries } from '../../../../contract/history/history.ts';
import { call, useCall } from '../../api/index.ts';
import type { Span } from '../curves/model.ts';
import type { Reply } from './panels.ts';
import { joined, tailFrom } from './tail.ts';

/** How finely a picture is asked for: about a point for each of its pixels on a desk, fewer on a phone. */
const pointsAsked = 1000;
/**
 * New readings are fetched at once, but at most so often; without any news so often, so that the end goes on with the
 * time.
 */
const restMs = 3_000;
const everyMs = 60_000;
/**
 * After so much new time everything is asked for again: an answer of yesterday with a tail of today has the wrong
 * fineness.
 */
const longestTail = 0.25;

export interface Asked {
  readonly devices: readonly number[];
  readonly quantities: readonly string[];
  readonly span: Span;
  readonly resolution: Resolution | null;
}

const iso = (at: number): string => new Date(at).toISOString();
const queryOf = ({ devices, quantities, span, resolution }: Asked) => ({
  deviceIds: devices.join(','),
  quantities: quantities.join(','),
  from: iso(span.from),
  to: iso(span.to),
  points: pointsAsked,
  ...(resolution === null ? {} : { resolution }),
});

/** The curves that are asked for; nothing is asked without devices and quantities. */
export const useSeries = (asked: Asked, enabled = true) =>
  useCall(
    getHistorySeries,
    { query: queryOf(asked) },
    {
      enabled: enabled && asked.devices.length > 0 && asked.quantities.length > 0,
      keepPrevious: true,
      staleTime: 60_000,
    },
  );

/**
 * The newest readings of curves whose end is now: only their end is fetched, when a device says that it reported, and
 * every minute. `onOld`: so much time has passed that everything should be asked for again.
 */
export function useTail(base: Reply | undefined, asked: Asked, live: boolean, onOld: () => void) {
  const [tail, setTail] = useState<{ of: Reply; reply: Reply; from: number } | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const fetchTail = useEffectEvent(async (signal: AbortSignal) => {
    if (!base) return;
    const [to, end] = [Date.now(), Date.parse(base.to)];
    if (to - end > (end - asked.span.from) * longestTail && to - end > 10 * everyMs) return onOld();
    const from = tailFrom(end, base.seconds);
    const reply = await call(
      getHistorySeries,
      { query: queryOf({ ...asked, span: { from, to }, resolution: base.resolution }) },
      { quiet: true, background: true, signal },
    );
    setTail({ of: base, reply, from });
  });
  const [news, setNews] = useState(0);
  useEffect(() => {
    if (!live || !base) return undefined;
    const stop = new AbortController();
    // What cannot be fetched now is fetched with the next news.
    const ask = (): void => void fetchTail(stop.signal).catch(() => undefined);
    if (news > 0) ask();
    const timer = setInterval(ask, everyMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [live, base, news]);
  useEffect(
    () => () => {
      clearTimeout(waiting.current);
      waiting.current = undefined;
    },
    [],
  );
  const missed = useRef(false);
  const heard = (): void => {
    if (waiting.current !== undefined) {
      missed.current = true;
      return;
    }
    setNews((count) => count + 1);
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      if (missed.current) heard();
      missed.current = false;
    }, restMs);
  };
  const reply = useMemo(() => (base && tail?.of === base ? joined(base, tail.reply, tail.from) : base), [base, tail]);
  return { reply, heard };
}
