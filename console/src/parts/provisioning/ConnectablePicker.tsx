import { Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import { listConnectable } from '../../../../contract/wires/provisioning.ts';
import { useCall } from '../../api/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { useLeaveByTab, useRested } from '../form/index.ts';
import { Refusal } from '../index.ts';
import styles from './picker.module.css';

/** A device that was chosen, and what it is called. */
export interface Choice {
  readonly value: number;
  readonly label: string;
}
type Candidate = ReplyOf<typeof listConnectable>['data'][number];

interface Props {
  id: string;
  chosen: Choice | null;
  onChoose: (chosen: Choice | null) => void;
  /** Looked for in all families where none is given. */
  family: string | null;
  workArea?: number;
  /** Offered before all others, whether they have credentials or not. */
  first?: readonly Candidate[];
  hint: ReactNode;
}

/** Looks for a registered device that reports by itself and has no credentials yet. */
export function ConnectablePicker({ id, chosen, onChoose, family, workArea, first = [], hint }: Props) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const { list, around } = useLeaveByTab();
  const [search, setSearch] = useState('');
  const q = useRested(search.trim());
  const query: QueryOf<typeof listConnectable> = {
    ...(workArea === undefined ? {} : { workArea }),
    ...(family === null ? {} : { family }),
    ...(q === '' ? {} : { q }),
  };
  const found = useCall(listConnectable, { query }, { keepPrevious: true, staleTime: 0 });
  const others = (found.data?.data ?? []).filter((one) => first.every((other) => other.id !== one.id));
  const options = [...first, ...others].map((one) => ({
    value: one.id,
    label: [`${one.code} ${one.name ?? ''}`.trim(), ...(one.family === family ? [] : [names.family(one.family)])].join(
      ' · ',
    ),
  }));
  return (
    <div className={styles.field} {...around}>
      <label htmlFor={id}>{t('device.which')}</label>
      <Select
        {...list}
        id={id}
        className={styles.device ?? ''}
        value={chosen}
        labelInValue
        placeholder={t('device.search')}
        loading={found.isFetching}
        showSearch={{ filterOption: false, searchValue: search, onSearch: setSearch }}
        options={options}
        notFoundContent={found.isFetching ? t('device.searching') : t('device.noneLeft')}
        onChange={(next: Choice | undefined) => onChoose(next ?? null)}
      />
      <p className={styles.hint}>{hint}</p>
      {found.error ? <Refusal error={found.error} /> : null}
    </div>
  );
}
