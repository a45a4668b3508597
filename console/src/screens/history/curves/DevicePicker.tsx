import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mostCurveDevices } from '../../../../../contract/history/history.ts';
import { search } from '../../../../../contract/register/search.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useLeaveByTab, useRested } from '../../../parts/form/index.ts';
import type { About } from '../../../parts/series/devices.ts';
import styles from './history.module.css';

interface Props {
  chosen: readonly number[];
  about: About;
  onChoose: (devices: readonly number[]) => void;
}

/** Finds devices by code, name or pinyin, and takes up to twenty. */
export function DevicePicker({ chosen, about, onChoose }: Props) {
  const { t } = useTranslation('curves');
  const names = useNames();
  const { list, around } = useLeaveByTab();
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const q = useRested(typed.trim());
  const found = useCall(search, { query: { q: q || '-' } }, { enabled: q !== '', keepPrevious: true });
  const items = (q === '' ? [] : (found.data?.groups ?? []))
    .filter(({ kind }) => kind === 'device')
    .flatMap((group) => group.items);
  const label = (id: number): string => about.find((one) => one.id === id)?.code ?? known.get(id) ?? `#${id}`;
  const isFull = chosen.length >= mostCurveDevices;
  const options = items.map((one) => ({
    value: one.id,
    code: one.code,
    disabled: isFull && !chosen.includes(one.id),
    label: [
      one.name === null || one.name === one.code ? one.code : `${one.code} ${one.name}`,
      one.family === null ? '' : names.family(one.family),
      one.place ?? '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  }));
  return (
    <div className={styles.field} {...around}>
      <label htmlFor="history-devices">{t('devices')}</label>
      <Select
        {...list}
        id="history-devices"
        mode="multiple"
        className={styles.wide ?? ''}
        value={[...chosen]}
        labelRender={({ value }) => label(Number(value))}
        placeholder={t('devices.search', { n: mostCurveDevices })}
        loading={found.isFetching}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        options={options}
        notFoundContent={
          q === ''
            ? t('devices.type')
            : found.isFetching
              ? t('devices.searching')
              : t(isFull ? 'devices.most' : 'devices.none', { n: mostCurveDevices })
        }
        onChange={(next: number[]) => {
          const added = options.filter(({ value }) => next.includes(value));
          setKnown(new Map([...known, ...added.map(({ value, code }): [number, string] => [value, code])]));
          onChoose(next.slice(0, mostCurveDevices));
        }}
      />
    </div>
  );
}
