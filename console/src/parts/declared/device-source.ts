import { derivedColumns, type Family } from '../../../../catalogue/family.ts';
import { createDevice, deleteDevice, getDevice, getDeviceUses, listDevices, updateDevice } from '../../../../contract/routes/devices.ts';
import { useCall, useSend } from '../../api/index.ts';
import type { Row, Source } from './source.ts';

const REFRESH_MS = 30_000;
// The reply lists what every device has; the family's own fields come beside it, by wire name.
const asRow = (reply: unknown): Row => reply as Row;

/** The devices of a family. */
export function deviceSource(family: Family): Source {
  return {
    kind: 'device', key: family.key, fields: family.fields, rules: family.rules, sections: family.sections, listColumns: family.listColumns,
    moreColumns: [...derivedColumns.filter((column) => column !== 'isOnline' || family.report !== null), ...family.quantities.map((quantity) => `latest.${quantity.key}`)],
    quantities: family.quantities, codeField: 'equipmentCode', nameField: 'equipmentName', reports: family.report !== null,
    codes: { add: 'device.add', edit: 'device.edit', del: 'device.del', credentials: family.report ? 'device.credentials' : null },
    useList: (query) => {
      const { data, ...answer } = useCall(listDevices, { query: { ...query, family: family.key } }, { keepPrevious: true, quiet: true, ...(family.report ? { every: REFRESH_MS } : {}) });
      return { ...answer, data: data && { data: data.data.map(asRow), recordsTotal: data.recordsTotal } };
    },
    useOne: (id) => {
      const { data, ...answer } = useCall(getDevice, { params: { id: id ?? 0 } }, { enabled: id !== null, quiet: true, staleTime: 0 });
      return { ...answer, data: data && asRow(data) };
    },
    useUses: (id) => useCall(getDeviceUses, { params: { id: id ?? 0 } }, { enabled: id !== null, quiet: true, staleTime: 0 }),
    useSave: () => {
      const create = useSend(createDevice, [listDevices]);
      const update = useSend(updateDevice, [listDevices, getDevice]);
      return {
        isPending: create.isPending || update.isPending,
        save: async (id, body) => asRow(await (id === null ? create.mutateAsync({ body: { ...body, family: family.key } }) : update.mutateAsync({ params: { id }, body }))),
      };
    },
    useRemove: () => {
      const send = useSend(deleteDevice, [listDevices]);
      return { isPending: send.isPending, remove: (id) => send.mutateAsync({ params: { id } }) };
    },
  };
}
