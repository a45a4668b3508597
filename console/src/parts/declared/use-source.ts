import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReplyOf } from '../../../../contract/route.ts';
import { getDeviceMap, listUnplacedDevices } from '../../../../contract/register/device-map.ts';
import {
  createDevice,
  deleteDevice,
  getDevice,
  getDeviceUses,
  listDevices,
  updateDevice,
} from '../../../../contract/register/devices.ts';
import { listDictionaries } from '../../../../contract/register/dictionaries.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  getRecordUses,
  listRecords,
  updateRecord,
} from '../../../../contract/register/records.ts';
import { getTreeLevel } from '../../../../contract/register/topology.ts';
import { getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { call, callKey, patchAnswer, useCall, useLive, useLiveState, useSend, type ApiError } from '../../api/index.ts';
import { withDeltas } from './live-rows.ts';
import type { Row, Source, Use } from './source.ts';
import { usePlaces } from './use-places.ts';

/**
 * Readings go on arriving: the live line tells of them, and of what was registered. What a filter or an order would say
 * of them now is asked now and then; all of it without the line.
 */
const REFRESH_MS = 30_000;
const TOLD_MS = 120_000;
// The reply lists what every row has; the declared fields come beside it, by wire name.
const asRow = (reply: unknown): Row => reply as Row;

export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  /** Still the answer to another question. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}
/** What a list asks for: filters by wire name, text, page, size, sort. */
export type ListQuery = Readonly<Record<string, string | number>>;

/** One page of a source; the page before stays shown while another one loads. */
export function useRows(
  source: Source,
  { page, ...query }: ListQuery & { readonly page: number },
): Answer<{ data: readonly Row[]; recordsTotal: number; recordsTotalExact?: boolean }> {
  const device = source.kind === 'device';
  const options = { keepPrevious: true };
  const places = usePlaces(JSON.stringify([source.key, query]));
  const input = { query: { ...query, ...places.of(page), family: source.key } };
  const every = useLiveState().state === 'live' ? TOLD_MS : REFRESH_MS;
  const devices = useCall(listDevices, input, { ...options, enabled: device, ...(source.reports ? { every } : {}) });
  const client = useQueryClient();
  useLive(
    device ? `devices:${source.key}` : null,
    (message) => {
      if (message.type === 'devices')
        patchAnswer<ReplyOf<typeof listDevices>>(client, callKey(listDevices, input), (before) =>
          withDeltas(before, message.devices),
        );
      else if (message.type === 'stale' || message.type === 'register') void devices.refetch();
    },
    devices.isPlaceholderData ? null : (devices.data?.at ?? null),
  );
  const records = useCall(
    listRecords,
    { params: { record: source.key }, query: { ...query, page } },
    { ...options, enabled: !device },
  );
  const { data: shown, isPlaceholderData: ofOther } = devices;
  useEffect(() => {
    if (shown && !ofOther) places.note(page, shown);
  }, [places, page, shown, ofOther]);
  const { data, ...answer } = device ? devices : records;
  return {
    ...answer,
    data: data && {
      data: data.data.map(asRow),
      recordsTotal: data.recordsTotal,
      ...(data.recordsTotalExact === undefined ? {} : { recordsTotalExact: data.recordsTotalExact }),
    },
  };
}

/** One page of a source, for work that goes through all of them. */
export async function fetchRows(source: Source, query: ListQuery): Promise<readonly Row[]> {
  const options = { quiet: true };
  const { data } = await (source.kind === 'device'
    ? call(listDevices, { query: { ...query, family: source.key } }, options)
    : call(listRecords, { params: { record: source.key }, query }, options));
  return data.map(asRow);
}

/** Deletes one row, and leaves it to the caller to ask the lists anew. Throws ApiError. */
export const deleteRow = (source: Source, id: number): Promise<unknown> =>
  source.kind === 'device'
    ? call(deleteDevice, { params: { id } }, { quiet: true })
    : call(deleteRecord, { params: { record: source.key, id } }, { quiet: true });

/** Changes some fields of one device, whatever else of it was changed meanwhile. Throws ApiError. */
export const changeDevice = (id: number, body: Readonly<Record<string, unknown>>): Promise<unknown> =>
  call(updateDevice, { params: { id }, body }, { quiet: true });

/** One row, always asked anew; nothing while `id` is null. */
export function useRow(source: Source, id: number | null): Answer<Row> {
  const device = source.kind === 'device';
  const options = { staleTime: 0 };
  const fromDevices = useCall(getDevice, { params: { id: id ?? 0 } }, { ...options, enabled: device && id !== null });
  const fromRecords = useCall(
    getRecord,
    { params: { record: source.key, id: id ?? 0 } },
    { ...options, enabled: !device && id !== null },
  );
  const { data, ...answer } = device ? fromDevices : fromRecords;
  return { ...answer, data: data && asRow(data) };
}

/** What hangs on a row, and what would go with it. */
export function useUses(
  source: Source,
  id: number | null,
): Answer<{ blocking: readonly Use[]; lost?: readonly Use[] }> {
  const device = source.kind === 'device';
  const options = { staleTime: 0 };
  const ofDevice = useCall(getDeviceUses, { params: { id: id ?? 0 } }, { ...options, enabled: device && id !== null });
  const ofRecord = useCall(
    getRecordUses,
    { params: { record: source.key, id: id ?? 0 } },
    { ...options, enabled: !device && id !== null },
  );
  return device ? ofDevice : ofRecord;
}

/**
 * Where a device shows: in its list, on the map or among those that stand nowhere, in the tree of what hangs on what.
 */
export const deviceViews = [listDevices, getDeviceMap, listUnplacedDevices, getTreeLevel] as const;

/**
 * What a change makes old: its lists, for a work area the choice in the header, for a dictionary what its values are
 * called.
 */
export const touched = (source: Source) => {
  if (source.kind === 'device') return deviceViews;
  const more =
    source.key === 'work-area' ? [getWorkAreaOptions] : source.key.startsWith('dictionary') ? [listDictionaries] : [];
  return [listRecords, ...more];
};

// Who saves or deletes shows the refusal where it was asked.
const quiet = { quiet: true };

/** Creates with id null, else changes. Throws ApiError, which the caller shows. */
export function useSave(source: Source): {
  readonly isPending: boolean;
  save(id: number | null, body: Readonly<Record<string, unknown>>): Promise<Row>;
} {
  const device = {
    create: useSend(createDevice, touched(source), quiet),
    update: useSend(updateDevice, [...touched(source), getDevice], quiet),
  };
  const record = {
    create: useSend(createRecord, touched(source), quiet),
    update: useSend(updateRecord, [...touched(source), getRecord], quiet),
  };
  const { key } = source;
  return {
    isPending: [device.create, device.update, record.create, record.update].some((send) => send.isPending),
    save: async (id, body) =>
      asRow(
        await (source.kind === 'device'
          ? id === null
            ? device.create.mutateAsync({ body: { ...body, family: key } })
            : device.update.mutateAsync({ params: { id }, body })
          : id === null
            ? record.create.mutateAsync({ params: { record: key }, body })
            : record.update.mutateAsync({ params: { record: key, id }, body })),
      ),
  };
}

/** Deletes. Throws ApiError, which the caller shows. */
export function useRemove(source: Source): { readonly isPending: boolean; remove(id: number): Promise<unknown> } {
  const device = useSend(deleteDevice, touched(source), quiet);
  const record = useSend(deleteRecord, touched(source), quiet);
  return {
    isPending: device.isPending || record.isPending,
    remove: (id) =>
      source.kind === 'device'
        ? device.mutateAsync({ params: { id } })
        : record.mutateAsync({ params: { record: source.key, id } }),
  };
}
