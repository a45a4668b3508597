import { Select } from 'antd';
import type { UIEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { tied } from '../../fields/face.ts';
import { useLeaveByTab } from '../form/index.ts';
import { ErrorState } from '../notices/Notices.tsx';
import { usePeople, type Person } from './use-people.ts';

interface Props {
  tie: ReturnType<typeof tied>;
  value: readonly number[];
  disabled: boolean;
  required?: boolean;
  labelOf: (person: Person) => string;
  onChange: (ids: number[]) => void;
}

/** Near enough to the end of the list that the next page is fetched, pixels. */
const nearEnd = 240;

/** Several accounts, looked for on the server. What is chosen stays readable whatever is searched. */
export function PeopleSelect({ tie, value, disabled, required = false, labelOf, onChange }: Props) {
  const { t } = useTranslation('parts');
  const { list, around } = useLeaveByTab();
  const people = usePeople(value, list.open, labelOf);
  const nothing = people.failed ? (
    <ErrorState title={t('people.failed')} error={people.error} onRetry={people.refetch} />
  ) : (
    t(people.searching ? 'people.searching' : 'people.none')
  );
  const scrolled = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>): void => {
    if (scrollHeight - scrollTop - clientHeight < nearEnd) people.more();
  };
  return (
    <div {...around}>
      <Select<number[]>
        {...tie}
        {...list}
        mode="multiple"
        style={{ width: '100%' }}
        placeholder={t('people.choose')}
        disabled={disabled}
        aria-required={required}
        loading={list.open && people.searching}
        notFoundContent={nothing}
        showSearch={{
          filterOption: false,
          searchValue: people.search,
          onSearch: people.setSearch,
          autoClearSearchValue: false,
        }}
        value={[...value]}
        onChange={onChange}
        onPopupScroll={scrolled}
        options={people.options}
        labelRender={({ value: id }) => people.nameOf(Number(id))}
      />
    </div>
  );
}
