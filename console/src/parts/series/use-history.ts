import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getHistoryQuantities, mostCurveQuantities } from '../../../../contract/history/history.ts';
import { useCall } from '../../api/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { Span } from '../curves/model.ts';
import { formatTime, useZone } from '../time/zone.ts';
import type { Choice } from './address.ts';
import { usualQuantities } from './devices.ts';
import { curvesOf, type Reply, type Telling } from './panels.ts';
import { comparedFrom, spanOf } from './spans.ts';
import { useSeries, useTail, type Asked } from './use-series.ts';

/** What could not be fetched is asked for again so often, as long as what there was is still shown. */
const retryMs = 15_000;

/**
 * Everything that the page shows of a choice: what there is to choose from, the curves, and those they are compared
 * with.
 */
export function useHistory(choice: Pick<Choice, 'devices' | 'quantities' | 'span' | 'resolution' | 'compare'>) {
  const zone = useZone();
  const names = useNames();
  const { t } = useTranslation('curves');
  // The end of a span that goes with the time stands still until everything is asked for again: the tail moves it on.
  const [now, setNow] = useState(() => Date.now());
  const { span: chosen, devices, resolution } = choice;
  const about = useCall(
    getHistoryQuantities,
    { query: { deviceIds: devices.join(',') } },
    { enabled: devices.length > 0, keepPrevious: true },
  );
  const quantities = useMemo(
    () =>
      (choice.quantities.length > 0 ? choice.quantities : usualQuantities(about.data?.data ?? [])).slice(
        0,
        mostCurveQuantities,
      ),
    [choice.quantities, about.data],
  );
  const span = useMemo(
    (): Span => (typeof chosen === 'string' ? spanOf(chosen, now, zone) : chosen),
    [chosen, now, zone],
  );
  const asked: Asked = {
    devices,
    quantities,
    span: { from: span.from, to: Math.min(span.to, Math.max(now, span.from + 60_000)) },
    resolution,
  };
  const base = useSeries(asked);
  const lost = useLost(JSON.stringify([devices, quantities, chosen, resolution]), base, span);
  const live = typeof chosen === 'string';
  const { reply, heard } = useTail(
    base.data ?? lost?.reply,
    asked,
    live && !base.isPlaceholderData && lost === null,
    () => setNow(Date.now()),
  );
  const from =
    choice.compare === null
      ? null
      : comparedFrom(span, choice.compare, typeof chosen === 'string' ? chosen : null, zone);
  const moved = from === null ? 0 : span.from - from;
  const other = useSeries(
    {
      ...asked,
      span: { from: span.from - moved, to: span.to - moved },
      resolution: base.data?.resolution ?? resolution,
    },
    from !== null && base.data !== undefined,
  );
  const curves = useMemo(() => {
    if (!reply) return [];
    const codes = new Map((about.data?.data ?? []).map((device) => [device.id, device.code]));
    const several = {
      devices: new Set(reply.series.map(({ deviceId }) => deviceId)).size > 1,
      quantities: new Set(reply.series.map(({ quantity }) => quantity)).size > 1,
    };
    const telling: Telling = { names, several, codeOf: (id) => codes.get(id) ?? `#${id}` };
    const compared =
      from !== null && other.data
        ? { reply: other.data, moved, label: t('compare.of', { day: formatTime(from, 'date', zone) }) }
        : null;
    return curvesOf(reply, telling, compared);
  }, [reply, other.data, about.data, names, from, moved, zone, t]);
  // What came since the page asked moves a span of a fixed length on.
  const shown = lost?.span ?? span;
  const end = live && reply ? Math.max(shown.to, Date.parse(reply.to)) : shown.to;
  // A span whose end goes with the time is asked for under another name, one that is over under the same.
  const refresh = (): void => void (live || asked.span.to < span.to ? setNow(Date.now()) : base.refetch());
  const slides = chosen === '24h' || chosen === '7d' || chosen === '30d';
  return {
    about,
    quantities,
    base,
    other,
    reply,
    curves,
    heard,
    live,
    stale: base.error !== null || lost !== null,
    now: end < shown.to ? now : Math.max(now, live ? end : now),
    refresh,
    span: { from: slides ? shown.from + end - shown.to : shown.from, to: end },
  };
}
export type History = ReturnType<typeof useHistory>;

/**
 * What was shown of the same choice before it could not be fetched anew; null: nothing is lost. It is asked for again
 * until it comes.
 */
function useLost(
  choice: string,
  { data, error, isPlaceholderData, refetch }: ReturnType<typeof useSeries>,
  span: Span,
): { reply: Reply; span: Span } | null {
  const [good, setGood] = useState<{ choice: string; reply: Reply; span: Span; failed: boolean } | null>(null);
  const came = data !== undefined && !isPlaceholderData;
  if (came && (data !== good?.reply || good.failed)) setGood({ choice, reply: data, span, failed: false });
  if (data === undefined && error !== null && good?.choice === choice && !good.failed)
    setGood({ ...good, failed: true });
  // While it is asked for again it is still not there.
  const lost = !came && good?.failed === true && good.choice === choice ? good : null;
  const isLost = lost !== null;
  const again = useEffectEvent(() => void refetch());
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => again(), retryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  return lost;
}
