import { useEffect, useMemo, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FeatureCollection } from 'geojson';
import { sums } from '../../../../../contract/device-map.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import { getDeviceMap } from '../../../../../contract/register/device-map.ts';
import { call, callKey, useCall, useLive, useLiveState, useWatched } from '../../../api/index.ts';
import { DeviceField } from '../../../parts/map/device-field.ts';

type Answer = ReplyOf<typeof getDeviceMap>;
const REFRESH_MS = 60_000;
const noGround: FeatureCollection = { type: 'FeatureCollection', features: [] };

/**
 * Every device with a position, kept up to date by the socket: states one by one; when something was registered, moved
 * or taken away, by asking again with the version that is here, to which the server answers with columns only when they
 * changed. Without the socket so every minute.
 */
export function useDeviceMap() {
  const client = useQueryClient();
  const key = callKey(getDeviceMap, {});
  const isLive = useLiveState().state === 'live';
  useWatched([key]);
  const asked = useQuery<Answer>({
    queryKey: key,
    refetchInterval: isLive ? false : REFRESH_MS,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Answer>(key);
      const answer = await call(getDeviceMap, { query: before ? { known: before.version } : {} }, { signal });
      return answer.columns === null && before ? { ...before, at: answer.at } : answer;
    },
  });
  const field = useField(asked.data);
  const ground = useCall(getBaseMap, undefined, { staleTime: Infinity });
  useLive(
    'devices',
    (message) => {
      if (message.type === 'devices') field?.tell(message.devices);
      else if (message.type === 'stale' || message.type === 'register') void asked.refetch();
    },
    field === null ? null : (asked.data?.at ?? null),
  );
  return {
    asked,
    field,
    ground: ground.isPending ? null : ((ground.data as FeatureCollection | undefined) ?? noGround),
  };
}

/** The devices of an answer; where only states differ from the ones before, those take them over and stay. */
function useField(answer: Answer | undefined): DeviceField | null {
  const [field, setField] = useState<DeviceField | null>(null);
  const [columns, families] = [answer?.columns, answer?.families];
  const fresh = useMemo(() => (columns && families ? { columns, families } : null), [columns, families]);
  useEffect(() => {
    if (fresh === null) return;
    setField((before) =>
      before?.take(fresh.families, fresh.columns) === true ? before : new DeviceField(fresh.families, fresh.columns),
    );
  }, [fresh]);
  return field;
}

/** The ids of what belongs to a road; null: no road was asked for, or it is still on its way. */
export function useRoadIds(roadId: number | null): ReadonlySet<number> | null {
  const asked = useCall(getDeviceMap, { query: { roadId: roadId ?? 1 } }, { enabled: roadId !== null });
  const ids = asked.data?.columns?.ids;
  return useMemo(() => (roadId === null || !ids ? null : new Set(sums(ids))), [roadId, ids]);
}
