import type { ReferenceField } from '../../../catalogue/fields/reference.ts';
import type { Language } from '../../../catalogue/languages.ts';
import { recordOf } from '../../../catalogue/records/index.ts';
import { labelOf } from '../../../catalogue/records/labels.ts';
import { listDevices } from '../../../contract/register/devices.ts';
import { listRecords } from '../../../contract/register/records.ts';
import { useCall } from '../api/index.ts';
import { useRested } from '../api/use-rested.ts';
import { currentTag } from '../session/index.ts';

export interface Option {
  value: number;
  label: string;
}

const optionOf = (
  to: ReferenceField['to'],
  row: Record<string, unknown> & { id: number },
  language: Language,
): Option => {
  const record = 'record' in to ? recordOf(to.record) : undefined;
  const code = String(row[record?.codeField ?? 'equipmentCode'] ?? row.id);
  const name = record?.labelled ? labelOf(row, language) : row[record?.nameField ?? 'equipmentName'];
  // A loop's code is its own only within its box.
  if (record?.areaOf)
    return {
      value: row.id,
      label: `${(row['labels'] as Record<string, string> | undefined)?.[record.areaOf] ?? ''}/${code} ${String(name)}`,
    };
  if (record) return { value: row.id, label: typeof name === 'string' ? name : code };
  return { value: row.id, label: typeof name === 'string' && name !== '' ? `${code} ${name}` : code };
};

/** Work areas lie in none, and what is the whole site's neither. */
const withoutArea = (record: string): boolean => record === 'work-area' || recordOf(record)?.areaColumn === null;

/** What a reference can point to: the first twenty that match the search, of one work area where one is given. */
export function useReferenceOptions(
  to: ReferenceField['to'],
  asked: { search: string; workId: number | null; ids?: string; enabled: boolean },
): { options: Option[]; loading: boolean } {
  const search = useRested(asked.search.trim());
  const inArea =
    asked.workId === null || ('record' in to && withoutArea(to.record)) ? {} : { workId: String(asked.workId) };
  const query = {
    size: 20,
    ...inArea,
    ...(search === '' ? {} : { q: search }),
    ...(asked.ids === undefined ? {} : { ids: asked.ids }),
  };
  const record = 'record' in to;
  const fromRecords = useCall(
    listRecords,
    { params: { record: record ? to.record : '' }, query },
    { enabled: asked.enabled && record, keepPrevious: true },
  );
  const fromDevices = useCall(
    listDevices,
    { query: { ...query, family: record ? '' : to.family } },
    { enabled: asked.enabled && !record, keepPrevious: true },
  );
  const answer = record ? fromRecords : fromDevices;
  return {
    options: (answer.data?.data ?? []).map((row) => optionOf(to, row, currentTag())),
    loading: answer.isFetching,
  };
}
