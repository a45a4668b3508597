import { useQueryClient } from '@tanstack/react-query';
import { listCommands } from '../../../../contract/light/commands.ts';
import { getLamp, getLampCurve } from '../../../../contract/light/lamps.ts';
import { callKey, useCall, useLive } from '../../api/index.ts';

/** Everything about one lamp that is asked again when the socket says that it changed. */
export function useLamp(id: number) {
  const client = useQueryClient();
  const detail = useCall(getLamp, { params: { id } }, { staleTime: 0 });
  const commands = useCall(listCommands, { query: { deviceId: id, size: 20 } }, { staleTime: 0 });
  useLive(`device:${id}`, (message) => {
    if (message.type !== 'device' && message.type !== 'stale') return;
    void detail.refetch();
    void commands.refetch();
    void client.invalidateQueries({
      queryKey: callKey(getLampCurve),
      predicate: (query) => JSON.stringify(query.queryKey).includes(`"id":${id}`),
    });
  });
  const openId = commands.data?.data.find((command) => !command.finished)?.id ?? null;
  useLive(openId === null ? null : `command:${openId}`, (message) => {
    if (message.type === 'command' || message.type === 'stale') void commands.refetch();
  });
  return { detail, commands };
}

/** The lamp's next dusk or dawn switch. */
export function nextSwitch(switches: readonly { at: string; level: number }[], now = Date.now()): string | null {
  return switches.find((one) => new Date(one.at).getTime() > now)?.at ?? null;
}
