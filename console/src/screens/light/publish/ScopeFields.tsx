import { Select } from 'antd';
import { Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { publicationBounds } from '../../../../../contract/light/publications.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { useCall } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { LampsOnMap } from '../../../parts/choose-lamps/LampsOnMap.tsx';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { ErrorState, Icon, NoPermission } from '../../../parts/index.ts';
import { usePublicationWords } from '../../../parts/publishing/words.ts';
import { LampPicker, mostPicked } from './LampPicker.tsx';
import type { Scope } from './use-publish-form.ts';
import styles from './publish.module.css';

type Places = 'roadIds' | 'groupIds' | 'controllerIds';
const places = ['roadIds', 'groupIds', 'controllerIds'] as const satisfies readonly Places[];

interface Props {
  scope: Scope;
  onChange: (scope: Scope) => void;
  problem: string | undefined;
}

/** The lamps of any of these, as they are at this moment: roads, groups, control boxes, a work area, single lamps. */
export function ScopeFields({ scope, onChange, problem }: Props) {
  const { t } = useTranslation('publish');
  const { number } = usePublicationWords();
  const id = useId();
  const mayChoose = usePermission('lamp.monitor');
  const mayPick = usePermission('device.query');
  const filters = useCall(getLampFilters, undefined, { staleTime: 60_000, enabled: mayChoose });
  const areas = useCall(getWorkAreaOptions, {}, { staleTime: 60_000 });
  const rows: Record<Places, readonly { id: number; name: string; lamps: number }[]> = {
    roadIds: filters.data?.roads ?? [],
    groupIds: filters.data?.groups ?? [],
    controllerIds: (filters.data?.controllers ?? []).map(({ id: one, code, name, lamps }) => ({
      id: one,
      name: name ? `${code} ${name}` : code,
      lamps,
    })),
  };
  const many = scope.deviceIds.length > mostPicked;
  return (
    <>
      <p className={styles.hint}>{t('scope.text')}</p>
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">
          <Icon name="warning" size={12} />
          {problem}
        </p>
      )}
      <div className={formStyles.grid}>
        {filters.error && !filters.data ? (
          <div className={formStyles.wide}>
            <ErrorState title={t('scope.failed')} error={filters.error} onRetry={filters.refetch} />
          </div>
        ) : mayChoose ? (
          places.map((name) => (
            <Field key={name} id={`${id}-${name}`} label={t(`scope.${name}`)} problem={undefined}>
              {(tie) => (
                <Select<number[]>
                  {...tie}
                  {...(problem === undefined ? {} : { status: 'error' as const, 'aria-invalid': true })}
                  mode="multiple"
                  maxCount={publicationBounds.places}
                  allowClear
                  loading={filters.isPending}
                  showSearch={{ optionFilterProp: 'label' }}
                  placeholder={t('scope.any')}
                  notFoundContent={t('nothing')}
                  value={[...scope[name]]}
                  options={rows[name].map((row) => ({ value: row.id, label: `${row.name} (${number(row.lamps)})` }))}
                  onChange={(next) => onChange({ ...scope, [name]: next })}
                />
              )}
            </Field>
          ))
        ) : (
          <div className={formStyles.wide}>
            <NoPermission code="lamp.monitor" />
          </div>
        )}
        <Field id={`${id}-area`} label={t('scope.workAreaId')} problem={undefined}>
          {(tie) =>
            areas.error && !areas.data ? (
              <ErrorState title={t('scope.failed')} error={areas.error} onRetry={areas.refetch} />
            ) : (
              <Select<number>
                {...tie}
                allowClear
                loading={areas.isPending}
                showSearch={{ optionFilterProp: 'label' }}
                placeholder={t('scope.any')}
                value={scope.workAreaId}
                options={(areas.data?.data ?? []).map((area) => ({ value: Number(area.value), label: area.label }))}
                onChange={(next: number | undefined) => onChange({ ...scope, workAreaId: next ?? null })}
              />
            )
          }
        </Field>
        {many || mayPick || mayChoose ? (
          <Field id={`${id}-lamps`} label={t('scope.deviceIds')} problem={undefined} wide>
            {(tie) => (
              <div className={styles.lamps}>
                {many || !mayPick ? (
                  <Picked scope={scope} onChange={onChange} />
                ) : (
                  <LampPicker
                    tie={tie}
                    chosen={scope.deviceIds}
                    onChange={(deviceIds) => onChange({ ...scope, deviceIds })}
                  />
                )}
                <Suspense fallback={null}>
                  <LampsOnMap chosen={scope.deviceIds} onChange={(deviceIds) => onChange({ ...scope, deviceIds })} />
                </Suspense>
              </div>
            )}
          </Field>
        ) : null}
      </div>
    </>
  );
}

/** How many lamps were chosen in a list or on the map: too many to name, or by whom may not search for them. */
function Picked({ scope, onChange }: Pick<Props, 'scope' | 'onChange'>) {
  const { t } = useTranslation('publish');
  const { number } = usePublicationWords();
  if (scope.deviceIds.length === 0) return null;
  return (
    <span className={styles.picked}>
      {t('scope.picked', { n: number(scope.deviceIds.length) })}
      <button type="button" className={styles.link} onClick={() => onChange({ ...scope, deviceIds: [] })}>
        {t('scope.clear')}
      </button>
    </span>
  );
}
