import { Checkbox, Input, InputNumber, Radio, Select } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProvider, providers, stylesOf, type BaseMapKind } from '../../../../../catalogue/base-maps.ts';
import { geographicSystems, type GeographicSystem } from '../../../../../catalogue/coordinates.ts';
import { baseMapLimits } from '../../../../../contract/shell/base-maps.ts';
import { tied } from '../../../fields/face.ts';
import { Icon } from '../../../parts/index.ts';
import { ArchiveField } from './ArchiveField.tsx';
import { fieldsOf, keyLost, zoomLimit, type BaseMapSetting, type MapField } from './map-values.ts';
import type { MapForm } from './use-map-form.ts';
import styles from './base-maps.module.css';

interface Props {
  kind: BaseMapKind;
  stored: BaseMapSetting | null;
  form: MapForm;
  readOnly: boolean;
}
type Tie = ReturnType<typeof tied>;
const required: Readonly<Record<string, readonly MapField[]>> = {
  xyz: ['name', 'address'],
  pmtiles: ['name'],
  tianditu: ['style', 'key'],
  amap: ['style', 'key'],
};
const styleNames = ['vec', 'img', 'ter'] as const;

/** The fields that a kind of base map has. */
export function MapFields({ kind, stored, form: { values, errors, set, setSending }, readOnly }: Props) {
  const { t } = useTranslation('base-maps');
  const base = useId();
  const has = (field: MapField): boolean => fieldsOf(kind).includes(field);
  const field = (key: MapField, control: (tie: Tie) => ReactNode, hint = '') => {
    if (!has(key)) return null;
    const error = errors[key];
    const id = `${base}-${key}`;
    return (
      <div className={styles.field}>
        <label htmlFor={id}>
          {t(`field.${key}`)}
          {required[kind]?.includes(key) ? (
            <span className={styles.required} title={t('required')} aria-hidden>
              *
            </span>
          ) : null}
        </label>
        {control(tied(id, error !== undefined, `${id}-below`))}
        <span id={`${id}-below`} className={error ? styles.error : styles.hint}>
          {error ? (
            <>
              <Icon name="warning" size={12} />
              {'rule' in error ? t(`rule.${error.rule}`) : error.message}
            </>
          ) : (
            hint
          )}
        </span>
      </div>
    );
  };
  const text = (key: 'name' | 'address' | 'attribution', limit: number, placeholder?: string) => (tie: Tie) => (
    <Input
      {...tie}
      value={values[key]}
      maxLength={limit}
      disabled={readOnly || (key === 'address' && kind === 'pmtiles' && values.file !== null)}
      autoComplete="off"
      spellCheck={false}
      {...(placeholder ? { placeholder } : {})}
      onChange={(event) => set({ [key]: event.target.value })}
    />
  );
  const zoom = (key: 'minZoom' | 'maxZoom') => (tie: Tie) => (
    <InputNumber
      {...tie}
      min={0}
      max={zoomLimit}
      precision={0}
      value={values[key]}
      disabled={readOnly}
      onChange={(value) => set({ [key]: value ?? 0 })}
    />
  );
  const check = (key: 'allowPrivate' | 'isEnabled' | 'isDefault', hint: string, disabled = false) =>
    has(key) ? (
      <div className={styles.field}>
        <Checkbox
          checked={values[key]}
          disabled={readOnly || disabled}
          aria-describedby={`${base}-${key}-below`}
          onChange={(event) => set({ [key]: event.target.checked })}
        >
          {t(`field.${key}`)}
        </Checkbox>
        <span id={`${base}-${key}-below`} className={errors[key] ? styles.error : styles.hint}>
          {errors[key] && 'message' in errors[key] ? errors[key].message : hint}
        </span>
      </div>
    ) : null;
  const isOwn = isProvider(kind);
  return (
    <>
      {field('name', text('name', baseMapLimits.name), isOwn ? t('field.name.provider') : '')}
      {field(
        'file',
        (tie) => (
          <ArchiveField
            id={tie.id}
            value={values.file}
            disabled={readOnly}
            describedBy={`${base}-file-below`}
            onSending={setSending}
            onChange={(file) =>
              set({ file, ...(file ? { attribution: values.attribution || (file.attribution ?? '') } : {}) })
            }
          />
        ),
        t('field.file.hint'),
      )}
      {field(
        'address',
        text(
          'address',
          baseMapLimits.address,
          kind === 'xyz' ? 'https://tiles.example.com/{z}/{x}/{y}.png' : 'https://maps.example.com/city.pmtiles',
        ),
        t(kind === 'xyz' ? 'field.address.hint' : 'field.address.archive'),
      )}
      {field(
        'key',
        (tie) => (
          <Input.Password
            {...tie}
            value={values.key ?? ''}
            maxLength={baseMapLimits.key}
            disabled={readOnly}
            autoComplete="new-password"
            placeholder={stored?.hasKey && values.key === null && !keyLost(stored, values) ? t('field.key.kept') : ''}
            onChange={(event) => set({ key: event.target.value === '' && stored?.hasKey ? null : event.target.value })}
          />
        ),
        t(isOwn ? `field.key.${kind}` : 'field.key.hint'),
      )}
      {field(
        'style',
        (tie) =>
          isOwn ? (
            <Select
              {...tie}
              value={values.style}
              disabled={readOnly}
              options={styleNames
                .filter((one) => one in stylesOf(kind))
                .map((value) => ({ value, label: t(`style.${value}`) }))}
              onChange={(style: string) => set({ style })}
            />
          ) : (
            <Radio.Group
              id={tie.id}
              aria-describedby={tie['aria-describedby']}
              value={values.style === 'photo' ? 'photo' : ''}
              disabled={readOnly}
              options={[
                { value: '', label: t('style.map') },
                { value: 'photo', label: t('style.photo') },
              ]}
              onChange={(event) => set({ style: event.target.value as string })}
            />
          ),
        isOwn ? '' : t('style.hint'),
      )}
      {field(
        'system',
        (tie) => (
          <Select
            {...tie}
            value={values.system}
            disabled={readOnly}
            options={geographicSystems.map((value) => ({ value, label: t(`system.${value}`) }))}
            onChange={(system: GeographicSystem) => set({ system })}
          />
        ),
        t('field.system.hint'),
      )}
      {has('minZoom') ? (
        <div className={styles.pair}>
          {field('minZoom', zoom('minZoom'))}
          {field('maxZoom', zoom('maxZoom'))}
        </div>
      ) : null}
      {field('tileSize', (tie) => (
        <Select
          {...tie}
          value={values.tileSize}
          disabled={readOnly}
          options={[256, 512].map((value) => ({ value, label: `${value} × ${value}` }))}
          onChange={(tileSize: 256 | 512) => set({ tileSize })}
        />
      ))}
      {field(
        'attribution',
        text('attribution', baseMapLimits.attribution, isOwn ? providers[kind].attribution : '© OpenStreetMap'),
        t('field.attribution.hint'),
      )}
      {check('allowPrivate', t('field.allowPrivate.hint'))}
      {check(
        'isEnabled',
        stored?.isDefault ? t('field.isEnabled.default') : t('field.isEnabled.hint'),
        values.isDefault,
      )}
      {check('isDefault', t('field.isDefault.hint'), !values.isEnabled)}
    </>
  );
}
