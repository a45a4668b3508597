import { Cascader } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { popupOf } from './Popup.tsx';
import { divisions, isDivisionCode, pathOf, type Division } from './divisions.ts';
import styles from './search.module.css';

interface Props {
  id: string;
  /** The code of a province, city or district, or empty. */
  value: string;
  onChange: (code: string) => void;
}

/**
 * Province, city, district, each of which may be the choice; its official code is the value. The divisions come when it
 * is opened, or to name what is chosen.
 */
export function RegionPicker({ id, value, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<readonly Division[] | 'failed' | undefined>();
  const chosen = isDivisionCode(value);
  const wanted = opened || chosen;
  useEffect(() => {
    if (!wanted) return undefined;
    let wantsIt = true;
    divisions().then(
      (all) => {
        if (wantsIt) setKnown(all);
      },
      () => {
        if (wantsIt) setKnown('failed');
      },
    );
    return () => {
      wantsIt = false;
    };
  }, [wanted, tries]);
  return (
    <RegionCascade
      id={id}
      value={chosen ? value : ''}
      onChange={onChange}
      regions={wanted ? known : []}
      onOpen={() => {
        setOpened(true);
        if (known === 'failed') {
          setKnown(undefined);
          setTries(tries + 1);
        }
      }}
    />
  );
}

/**
 * Regions within regions, each of which may be the choice, or found by a part of its name. `regions` undefined: they
 * are being fetched.
 */
export function RegionCascade({
  id,
  value,
  onChange,
  regions,
  onOpen,
}: Props & { regions: readonly Division[] | 'failed' | undefined; onOpen?: () => void }) {
  const { t } = useTranslation('search-fields');
  const all = typeof regions === 'object' ? regions : [];
  const path = value === '' ? [] : pathOf(value, all);
  return (
    <Cascader<Division, 'value'>
      id={id}
      style={{ width: '100%' }}
      classNames={{ popup: { root: styles.regions ?? '' } }}
      options={[...all]}
      changeOnSelect
      expandTrigger="click"
      allowClear
      placeholder={t('any')}
      loading={regions === undefined}
      showSearch={{
        limit: 50,
        filter: (text, nodes) =>
          nodes.some((node) => node.label.includes(text.trim()) || node.value.startsWith(text.trim())),
      }}
      popupRender={popupOf(id)}
      displayRender={(labels) => labels.join(' / ')}
      value={path.length > 0 ? path : value === '' ? [] : [value]}
      onChange={(codes) => onChange(codes?.at(-1) ?? '')}
      onOpenChange={(open) => {
        if (open) onOpen?.();
      }}
      notFoundContent={
        <span role="status">
          {t(regions === 'failed' ? 'region.failed' : regions === undefined ? 'region.loading' : 'region.none')}
        </span>
      }
    />
  );
}
