import { Cascader } from 'antd';
import { useTranslation } from 'react-i18next';
import { popupOf } from './Popup.tsx';
import { pathOf, type Region } from './region.ts';
import styles from './region.module.css';

export interface RegionProps {
  id: string;
  /** The value of a region, or empty. */
  value: string;
  onChange: (code: string) => void;
}

export interface RegionChoiceProps extends RegionProps {
  regions: readonly Region[] | 'failed' | undefined;
  onOpen?: () => void;
}

/**
 * Regions within regions, each of which may be the choice, or found by a part of its name. `regions` undefined: they
 * are being fetched.
 */
export default function RegionChoice({ id, value, onChange, regions, onOpen }: RegionChoiceProps) {
  const { t } = useTranslation('search-fields');
  const all = typeof regions === 'object' ? regions : [];
  const path = value === '' ? [] : pathOf(value, all);
  return (
    <Cascader<Region, 'value'>
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
