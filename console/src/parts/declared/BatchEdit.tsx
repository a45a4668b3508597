import { Select } from 'antd';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isDeclared } from '../../../../catalogue/families/index.ts';
import { readField, type Field, type FieldValue } from '../../../../catalogue/fields/index.ts';
import { FieldInput } from '../../fields/index.tsx';
import { useNames } from '../../locales/catalogue-names.ts';
import { SeveralChanges } from './ChangeAffects.tsx';
import type { Row, Source } from './source.ts';
import styles from './declared.module.css';

/** One field and the value that several rows are to get; `field` undefined: none was chosen yet. */
export interface Chosen {
  field: Field | undefined;
  value: FieldValue;
}

// What is a device's own (its code, name, place, secret) is not given to several at once.
const own: ReadonlySet<string> = new Set([
  'equipmentCode',
  'equipmentName',
  'equipmentNum',
  'lampPostNumber',
  'workId',
  'longitude',
  'latitude',
  'ip',
  'status',
]);
const offered = (source: Source): Field[] =>
  source.sections
    .flatMap((section) => section.fields)
    .flatMap((key) =>
      source.fields.filter(
        (field) =>
          field.key === key &&
          !own.has(key) &&
          !field.fixed &&
          field.kind !== 'secret' &&
          field.kind !== 'picture' &&
          field.kind !== 'code' &&
          (field.kind !== 'reference' || isDeclared(field.to)),
      ),
    );

/** Whether the value can be written: empty only where the field may be. */
export const isReady = ({ field, value }: Chosen): boolean =>
  field !== undefined && (value === null ? !field.required : 'value' in readField(field, value));

/** Nothing is chosen yet. */
export const nothing: Chosen = { field: undefined, value: null };

interface Props {
  source: Source;
  rows: readonly Row[];
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

/**
 * Chooses one field and its new value for several devices; the server checks each device as a whole. Every opening
 * begins with nothing.
 */
export function BatchEdit({ source, rows, chosen, onChange: change }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const id = useId();
  useEffect(() => change(nothing), [change]);
  const fields = offered(source);
  const areas = new Set(rows.map((row) => row['workId']));
  const { field, value } = chosen;
  const wrong = field !== undefined && value !== null && !isReady(chosen);
  return (
    <div className={styles.batchEdit}>
      <label htmlFor={`${id}-field`}>{t('several.field')}</label>
      <Select
        id={`${id}-field`}
        value={field?.key ?? null}
        placeholder={t('form.choose')}
        showSearch={{ optionFilterProp: 'label' }}
        options={fields.map(({ key }) => ({ value: key, label: names.field(key, source.key) }))}
        onChange={(key: string) => change({ field: fields.find((one) => one.key === key), value: null })}
      />
      {field ? (
        <>
          <label htmlFor={`${id}-value`}>{t('several.value')}</label>
          <FieldInput
            key={field.key}
            field={field}
            id={`${id}-value`}
            value={value}
            onChange={(next) => change({ field, value: next })}
            invalid={wrong}
            describedBy={`${id}-hint`}
            around={{
              owner: source.key,
              workId: areas.size === 1 ? Number([...areas][0]) : null,
              labels: {},
              secrets: [],
            }}
          />
          <span id={`${id}-hint`}>
            {value !== null ? '' : t(field.required ? 'several.required' : 'several.empties')}
          </span>
        </>
      ) : null}
      <SeveralChanges rows={rows} change={field && isReady(chosen) ? { [field.key]: value } : null} />
    </div>
  );
}
