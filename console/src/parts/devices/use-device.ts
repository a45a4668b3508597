import { useParams } from 'react-router';
import { getDevice } from '../../../../contract/register/devices.ts';
import type { Device } from './device-state.tsx';
import { ApiError, useCall, useLive, useLiveState } from '../../api/index.ts';

/** Without the live line, and with it: it tells of readings and states, not of what other records say of the device. */
const REFRESH_MS = 30_000;
const TOLD_MS = 300_000;

/** The id in the address; null: it is none. */
export function useIdInAddress(): number | null {
  const { id = '' } = useParams();
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

/** One device, asked again when it says something while the page is looked at; `missing`: there is none of that id. */
export function useDevice(id: number) {
  const every = useLiveState().state === 'live' ? TOLD_MS : REFRESH_MS;
  const { data, error, refetch } = useCall(getDevice, { params: { id } }, { staleTime: 0, every });
  useLive(`device:${id}`, () => void refetch());
  const device: Device | undefined = data;
  return { device, clock: data?.clock, error, refetch, missing: error instanceof ApiError && error.status === 404 };
}
