import type { MasterRecord } from '../../../../catalogue/record.ts';
import { createRecord, deleteRecord, getRecord, getRecordUses, listRecords, updateRecord } from '../../../../contract/routes/records.ts';
import { getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { useCall, useSend } from '../../api/index.ts';
import type { Row, Source } from './source.ts';

const asRow = (reply: unknown): Row => reply as Row;

/** The rows of a record. */
export function recordSource(record: MasterRecord): Source {
  const { key } = record;
  // A changed work area is also another choice in the header.
  const touched = key === 'work-area' ? [listRecords, getWorkAreaOptions] : [listRecords];
  return {
    kind: 'record', key, fields: record.fields, rules: record.rules, sections: record.sections, listColumns: [...record.listColumns, 'updateTime'],
    moreColumns: ['updateTime'], quantities: [], codeField: record.codeField, nameField: record.nameField, reports: false,
    codes: { add: 'record.add', edit: 'record.edit', del: 'record.del', credentials: null },
    useList: (query) => {
      const { data, ...answer } = useCall(listRecords, { params: { record: key }, query }, { keepPrevious: true, quiet: true });
      return { ...answer, data: data && { data: data.data.map(asRow), recordsTotal: data.recordsTotal } };
    },
    useOne: (id) => {
      const { data, ...answer } = useCall(getRecord, { params: { record: key, id: id ?? 0 } }, { enabled: id !== null, quiet: true, staleTime: 0 });
      return { ...answer, data: data && asRow(data) };
    },
    useUses: (id) => useCall(getRecordUses, { params: { record: key, id: id ?? 0 } }, { enabled: id !== null, quiet: true, staleTime: 0 }),
    useSave: () => {
      const create = useSend(createRecord, touched);
      const update = useSend(updateRecord, [...touched, getRecord]);
      return {
        isPending: create.isPending || update.isPending,
        save: async (id, body) => asRow(await (id === null ? create.mutateAsync({ params: { record: key }, body }) : update.mutateAsync({ params: { record: key, id }, body }))),
      };
    },
    useRemove: () => {
      const send = useSend(deleteRecord, touched);
      return { isPending: send.isPending, remove: (id) => send.mutateAsync({ params: { record: key, id } }) };
    },
  };
}
