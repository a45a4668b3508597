import { Select } from 'antd';
import { useTranslation } from 'react-i18next';

/** Online, offline, or both. */
export function OnlineFilter({
  id,
  value,
  onChange,
}: {
  id: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation('declared');
  const options = (['true', 'false'] as const).map((flag) => ({ value: flag, label: t(`filter.online.${flag}`) }));
  return (
    <Select
      id={id}
      style={{ width: '100%' }}
      allowClear
      placeholder={t('filter.any')}
      value={value === '' ? null : value}
      onChange={(next: string | null | undefined) => onChange(next ?? '')}
      options={options}
    />
  );
}
