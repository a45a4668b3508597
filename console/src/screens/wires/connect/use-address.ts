import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

export const stepNames = ['device', 'credentials', 'line', 'done'] as const;
export type StepName = (typeof stepNames)[number];

export interface ConnectAddress {
  readonly step: StepName;
  /** The device being connected; null: it is to be made or chosen. */
  readonly deviceId: number | null;
  /** The family that is offered first. */
  readonly family: string | null;
  /** What the next device takes over from the one before. */
  readonly like: number | null;
  begin(from?: { readonly family: string; readonly like: number }): void;
  choose(family: string): void;
  show(deviceId: number, step: Exclude<StepName, 'device'>): void;
}

const idOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/** Which device is being connected and which step is shown, kept in the address: a reload goes on where it was. */
export function useConnectAddress(): ConnectAddress {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const deviceId = idOf(params.get('device'));
    const step = stepNames.find((name) => name === params.get('step'));
    const put = (values: Record<string, string | number>, replace = false): void =>
      setParams(new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)])), { replace });
    return {
      deviceId,
      step: deviceId === null ? 'device' : step === undefined || step === 'device' ? 'credentials' : step,
      family: params.get('family'),
      like: idOf(params.get('like')),
      begin: (from) => put(from ? { family: from.family, like: from.like } : {}),
      choose: (family) =>
        put({ family, ...(idOf(params.get('like')) === null ? {} : { like: Number(params.get('like')) }) }, true),
      show: (id, at) => put({ device: id, step: at }),
    };
  }, [params, setParams]);
}
