import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getLampFilters } from '../../../../contract/light/lamps.ts';
import { getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { useCall } from '../../api/index.ts';
import { usePermission } from '../../frame/index.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { ErrorState, NoPermission } from '../notices/Notices.tsx';

type By = 'roadId' | 'groupId' | 'controllerId' | 'workAreaId';
const ways: readonly By[] = ['roadId', 'groupId', 'controllerId', 'workAreaId'];

/** The lamps of a road, a group, a controller or an area; `id` null: not chosen yet. */
export interface Place {
  readonly by: By;
  readonly id: number | null;
}

/** What the names of roads, groups and controllers are read by; those of areas everybody may read. */
const readBy = 'lamp.monitor';

/** The chosen place, at first of a kind that the account may choose from. */
export function usePlace() {
  const mayRead = usePermission(readBy);
  return useState<Place>({ by: mayRead ? 'roadId' : 'workAreaId', id: null });
}

/** Which road, group, controller or area. `problem`: the id of the text that says what is wrong with it. */
export function PlacePicker({
  value,
  onChange,
  problem,
}: {
  value: Place;
  onChange: (place: Place) => void;
  problem?: string | undefined;
}) {
  const { t } = useTranslation('commands');
  const { by, id } = value;
  const mayRead = usePermission(readBy);
  return (
    <>
      <Segmented<By>
        value={by}
        onChange={(next) => onChange({ by: next, id: null })}
        aria-label={t('polls.by')}
        options={ways.map((way) => ({ value: way, label: t(`polls.by.${way}`) }))}
      />
      {by === 'workAreaId' || mayRead ? (
        <Choose key={by} by={by} value={id} problem={problem} onChange={(next) => onChange({ by, id: next })} />
      ) : (
        <NoPermission code={readBy} />
      )}
    </>
  );
}

/** The roads, groups, controllers or areas that can be chosen from. */
function Choose({
  by,
  value,
  problem,
  onChange,
}: {
  by: By;
  value: number | null;
  problem: string | undefined;
  onChange: (id: number) => void;
}) {
  const { t, i18n } = useTranslation('commands');
  const lamps = useCall(getLampFilters, undefined, { staleTime: 60_000, enabled: by !== 'workAreaId' });
  const areas = useCall(getWorkAreaOptions, undefined, { staleTime: 60_000, enabled: by === 'workAreaId' });
  const counted = (name: string, count: number): string => `${name} (${formatNumber(count, i18n.language, 0)})`;
  const options = {
    roadId: () => (lamps.data?.roads ?? []).map((one) => ({ value: one.id, label: counted(one.name, one.lamps) })),
    groupId: () => (lamps.data?.groups ?? []).map((one) => ({ value: one.id, label: counted(one.name, one.lamps) })),
    controllerId: () =>
      (lamps.data?.controllers ?? []).map((one) => ({
        value: one.id,
        label: counted(one.name ? `${one.code} ${one.name}` : one.code, one.lamps),
      })),
    workAreaId: () => (areas.data?.data ?? []).map((one) => ({ value: Number(one.value), label: one.label })),
  }[by]();
  const asked = by === 'workAreaId' ? areas : lamps;
  if (asked.error && !asked.data) return <ErrorState error={asked.error} onRetry={asked.refetch} />;
  return (
    <Select<number>
      showSearch={{ optionFilterProp: 'label' }}
      loading={asked.isPending}
      {...(value === null ? {} : { value })}
      placeholder={t('polls.choose')}
      aria-label={t('polls.choose')}
      {...(problem === undefined ? {} : { status: 'error', 'aria-invalid': true, 'aria-describedby': problem })}
      options={options}
      onChange={onChange}
    />
  );
}
