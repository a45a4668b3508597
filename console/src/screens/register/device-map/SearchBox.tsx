import { useState } from 'react';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { search } from '../../../../../contract/register/search.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useLeaveByTab, useRested } from '../../../parts/form/index.ts';
import { Icon } from '../../../parts/index.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import styles from './map.module.css';

export interface FoundThing {
  readonly kind: 'pole' | 'device' | 'road';
  readonly id: number;
  readonly name: string;
}

/** Finds poles, devices and roads as the global search does, and flies there. */
export function SearchBox({ onFound }: { onFound: (thing: FoundThing) => void }) {
  const { t } = useTranslation('device-map');
  const names = useNames();
  const { list, around } = useLeaveByTab();
  const [typed, setTyped] = useState('');
  const text = useRested(typed.trim());
  const asked = useCall(search, { query: { q: text } }, { enabled: text !== '', keepPrevious: true });
  const things =
    text === ''
      ? []
      : (asked.data?.groups ?? []).flatMap(({ kind, items }) => items.map((item) => ({ ...item, kind })));
  const choose = (value: string): void => {
    const thing = things.find(({ kind, id }) => `${kind}:${id}` === value);
    if (thing) onFound({ kind: thing.kind, id: thing.id, name: thing.name ?? thing.code });
    setTyped('');
  };
  return (
    <div {...around} style={{ display: 'flex' }}>
      <Select
        {...list}
        className={styles.search ?? ''}
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        value={null}
        suffixIcon={<Icon name="search" size={14} />}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        onSelect={(value: string | null) => {
          if (value !== null) choose(value);
        }}
        popupMatchSelectWidth={300}
        notFoundContent={
          text === ''
            ? null
            : asked.isFetching || text !== typed.trim()
              ? t('search.searching')
              : asked.error
                ? t('search.failed')
                : t('search.nothing')
        }
        options={things.map(({ kind, id, family, code, name, place }) => ({
          value: `${kind}:${id}`,
          label: (
            <span className={styles.found}>
              <Icon name={kind === 'road' ? 'road' : familyIcon(family ?? '')} size={14} />
              <b className="code">{kind === 'road' ? (name ?? code) : code}</b>
              <small>
                {[kind === 'road' ? t('search.road') : names.family(family ?? ''), kind === 'road' ? null : name, place]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          ),
        }))}
      />
    </div>
  );
}
