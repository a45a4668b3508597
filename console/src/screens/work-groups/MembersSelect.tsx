import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { tied } from '../../fields/face.ts';
import { useLeaveByTab } from '../../parts/form/index.ts';
import { ErrorState } from '../../parts/index.ts';
import { usePeople } from './use-people.ts';

interface Props { tie: ReturnType<typeof tied>; value: readonly number[]; disabled: boolean; onChange: (ids: number[]) => void }

/** The members of a group: several, looked for on the server. What is chosen stays readable whatever is searched. */
export function MembersSelect({ tie, value, disabled, onChange }: Props) {
  const { t } = useTranslation('work-groups');
  const { list, around } = useLeaveByTab();
  const people = usePeople(value, list.open);
  const nothing = people.failed ? <ErrorState title={t('failed.load')} error={people.error} onRetry={people.refetch} /> : t(people.searching ? 'members.searching' : 'members.none');
  return (
    <div {...around}>
      <Select<number[]>
        {...tie} {...list} mode="multiple" style={{ width: '100%' }} placeholder={t('members.choose')} disabled={disabled} aria-required loading={list.open && people.searching} notFoundContent={nothing}
        showSearch={{ filterOption: false, searchValue: people.search, onSearch: people.setSearch, autoClearSearchValue: false }} value={[...value]} onChange={onChange}
        options={people.options} labelRender={({ value: id }) => people.nameOf(Number(id))}
      />
    </div>
  );
}
