import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getSchemeVersion } from '../../../../../contract/light/schemes.ts';
import { useCall } from '../../../api/index.ts';
import { Field } from '../../../parts/form/index.ts';
import { ErrorState } from '../../../parts/index.ts';
import { useItems } from '../../../parts/versioned/use-items.ts';

/** A programme of the version of a scheme; null: not chosen yet. */
export interface ChosenProgramme {
  readonly schemeId: number | null;
  readonly schemeNumber: number | null;
  readonly programme: number | null;
}
export const noProgramme: ChosenProgramme = { schemeId: null, schemeNumber: null, programme: null };

interface Props {
  value: ChosenProgramme;
  onChange: (value: ChosenProgramme) => void;
  problems: Readonly<Record<string, string>>;
}

/** A programme instead of a level: one of the newest version of a scheme. */
export function ProgrammeFields({ value, onChange, problems }: Props) {
  const { t } = useTranslation('exceptions');
  const id = useId();
  const { schemeId, schemeNumber, programme } = value;
  const items = useItems('scheme', schemeId);
  const offered = (items.rows ?? []).filter((row) => row.newest !== null && row.state !== 'withdrawn');
  const { chosen } = items;
  const options = chosen === undefined || offered.some((one) => one.id === chosen.id) ? offered : [chosen, ...offered];
  const version = useCall(
    getSchemeVersion,
    { params: { id: schemeId ?? 0, number: schemeNumber ?? 0 } },
    { enabled: schemeId !== null && schemeNumber !== null },
  );
  return (
    <>
      <Field id={`${id}-scheme`} label={t('field.scheme')} required problem={problems['schemeId']}>
        {(tie) =>
          items.failed ? (
            <ErrorState title={t('scheme.failed')} error={items.failed.error} onRetry={items.failed.refetch} />
          ) : (
            <Select<number>
              {...tie}
              value={schemeId}
              loading={items.loading}
              showSearch={items.search}
              placeholder={t('scheme.choose')}
              notFoundContent={t('scheme.none')}
              options={options.map((one) => ({ value: one.id, label: `${one.code} ${one.name}` }))}
              onChange={(next: number) =>
                onChange({
                  schemeId: next,
                  schemeNumber: options.find((one) => one.id === next)?.newest?.number ?? null,
                  programme: null,
                })
              }
            />
          )
        }
      </Field>
      <Field id={`${id}-programme`} label={t('field.programme')} required problem={problems['programme']}>
        {(tie) =>
          version.error && !version.data ? (
            <ErrorState title={t('programme.failed')} error={version.error} onRetry={version.refetch} />
          ) : (
            <Select<number>
              {...tie}
              disabled={schemeId === null}
              loading={schemeId !== null && version.isPending}
              value={programme}
              placeholder={t('programme.choose')}
              options={(version.data?.content.programmes ?? []).map((one) => ({
                value: one.key,
                label: one.name.trim() === '' ? t('programme.unnamed', { n: one.key }) : one.name,
              }))}
              onChange={(next: number) => onChange({ ...value, programme: next })}
            />
          )
        }
      </Field>
    </>
  );
}
