import { useParams } from 'react-router';
import { getDevice } from '../../../../contract/routes/devices.ts';
import type { Device } from './device-state.tsx';
import { ApiError, useCall } from '../../api/index.ts';

const REFRESH_MS = 30_000;

/** The id in the address; null: it is none. */
export function useIdInAddress(): number | null {
  const { id = '' } = useParams();
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

/** One device, asked again while the page is looked at; `missing`: there is none of that id. */
export function useDevice(id: number) {
  const { data, error, refetch } = useCall(getDevice, { params: { id } }, { staleTime: 0, quiet: true, every: REFRESH_MS });
  const device: Device | undefined = data;
  return { device, error, refetch, missing: error instanceof ApiError && error.status === 404 };
}
