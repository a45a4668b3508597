import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findOrganisations } from '../../../../contract/routes/organisations.ts';
import { useCall } from '../../api/index.ts';
import { useLeaveByTab, useRested } from '../../parts/form/index.ts';
import { Icon, useErrorText } from '../../parts/index.ts';
import styles from './organisations.module.css';

const most = 20;

/** Looks for a node anywhere in the tree, opened or not; choosing one leads to it. */
export function FindOrganisation({ onFound }: { onFound: (id: number, path: readonly number[]) => void }) {
  const { t } = useTranslation('organisations');
  const errorText = useErrorText();
  const { list, around } = useLeaveByTab();
  const [typed, setTyped] = useState('');
  const text = useRested(typed.trim());
  const found = useCall(findOrganisations, { query: { name: text || '-', size: most } }, { quiet: true, enabled: text !== '', keepPrevious: true });
  const rows = text === '' || typed.trim() === '' ? [] : (found.data?.data ?? []);
  const nothing = found.error ? errorText(found.error) : found.isFetching || text !== typed.trim() ? t('find.searching') : t('find.none');
  const more = (found.data?.recordsTotal ?? 0) - rows.length;
  return (
    <div className={styles.find} {...around}>
      <Select<number>
        {...list} open={list.open && typed.trim() !== ''} style={{ width: '100%' }} value={null} placeholder={t('find')} aria-label={t('find')} prefix={<Icon name="search" size={14} />} suffixIcon={null}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }} notFoundContent={nothing}
        options={rows.map(({ id, name, path }) => ({ value: id, label: name, path: path.map((one) => one.name).join(' / ') }))}
        optionRender={({ label, data }) => <span className={styles.found}><b>{label}</b><small>{data.path || t('details.top')}</small></span>}
        popupRender={(menu) => <>{menu}{rows.length > 0 && more > 0 ? <p className={styles.more}>{t('find.more', { n: more })}</p> : null}</>}
        onChange={(id) => {
          const row = rows.find((one) => one.id === id);
          setTyped('');
          if (row) onFound(row.id, row.path.map((one) => one.id));
        }}
      />
    </div>
  );
}
