import { Select } from 'antd';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { findOrganisations } from '../../../../../contract/people/organisations.ts';
import { useCall } from '../../../api/index.ts';
import { useLeaveByTab, useRested } from '../../../parts/form/index.ts';
import { Icon, useErrorText } from '../../../parts/index.ts';
import styles from './organisations.module.css';

const most = 20;

interface Option {
  value: number;
  label: string;
  path: string;
}

function Found({ label, path }: Omit<Option, 'value'>) {
  const { t } = useTranslation('organisations');
  return (
    <span className={styles.found}>
      <b>{label}</b>
      <small>{path || t('details.top')}</small>
    </span>
  );
}

function renderOption({ data: { label, path } }: { data: Option }): ReactNode {
  return <Found label={label} path={path} />;
}

/** The found ones, and how many the server left out. */
const withMore = (menu: ReactElement, text: string | undefined): ReactElement => (
  <>
    {menu}
    {text === undefined ? null : <p className={styles.more}>{text}</p>}
  </>
);

/** Looks for a node anywhere in the tree, opened or not; choosing one leads to it. */
export function FindOrganisation({ onFound }: { onFound: (id: number, path: readonly number[]) => void }) {
  const { t } = useTranslation('organisations');
  const errorText = useErrorText();
  const { list, around } = useLeaveByTab();
  const [typed, setTyped] = useState('');
  const text = useRested(typed.trim());
  const found = useCall(
    findOrganisations,
    { query: { name: text || '-', size: most } },
    { enabled: text !== '', keepPrevious: true },
  );
  const rows = text === '' || typed.trim() === '' ? [] : (found.data?.data ?? []);
  const nothing = found.error
    ? errorText(found.error)
    : found.isFetching || text !== typed.trim()
      ? t('find.searching')
      : t('find.none');
  const more = (found.data?.recordsTotal ?? 0) - rows.length;
  return (
    <div className={styles.find} {...around}>
      <Select<number, Option>
        {...list}
        open={list.open && typed.trim() !== ''}
        style={{ width: '100%' }}
        value={null}
        placeholder={t('find')}
        aria-label={t('find')}
        prefix={<Icon name="search" size={14} />}
        suffixIcon={null}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        notFoundContent={nothing}
        options={rows.map(({ id, name, path }) => ({
          value: id,
          label: name,
          path: path.map((one) => one.name).join(' / '),
        }))}
        optionRender={renderOption}
        popupRender={(menu) => withMore(menu, rows.length > 0 && more > 0 ? t('find.more', { n: more }) : undefined)}
        onChange={(id) => {
          const row = rows.find((one) => one.id === id);
          setTyped('');
          if (row)
            onFound(
              row.id,
              row.path.map((one) => one.id),
            );
        }}
      />
    </div>
  );
}
