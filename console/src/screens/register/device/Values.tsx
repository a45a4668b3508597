import { useTranslation } from 'react-i18next';
import { familyOf, isDeclared } from '../../../../../catalogue/families/index.ts';
import type { FieldValue } from '../../../../../catalogue/fields/index.ts';
import { FieldCell } from '../../../fields/index.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ReportedValue } from '../../../parts/declared/columns.tsx';
import { Card, Empty, RelativeTime } from '../../../parts/index.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import styles from './device.module.css';

/** Every value a device sent last. */
export function Values({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const names = useNames();
  const reported = (familyOf(device.family)?.quantities ?? []).filter(
    ({ key }) => device.latest?.values[key] !== undefined,
  );
  return (
    <Card title={t('values.title')} extra={device.latest?.at ? <RelativeTime at={device.latest.at} /> : null}>
      {reported.length === 0 ? (
        <Empty title={t('values.none')} text={t('values.noneText')} />
      ) : (
        <dl className={styles.facts}>
          {reported.map((quantity) => (
            <div key={quantity.key}>
              <dt>{names.quantity(quantity.key)}</dt>
              <dd>
                <ReportedValue quantity={quantity} value={device.latest?.values[quantity.key]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

/** What the record says; empty fields are left out. */
export function Facts({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const names = useNames();
  const family = familyOf(device.family);
  if (!family) return null;
  const shown = family.sections
    .flatMap((section) => section.fields)
    .flatMap((key) => family.field.get(key) ?? [])
    .filter(
      (field) =>
        (device.secrets.includes(field.key) || ![null, undefined, ''].includes(device[field.key] as string)) &&
        (field.kind !== 'reference' || isDeclared(field.to)),
    );
  return (
    <Card title={t('facts.title')}>
      <dl className={styles.facts}>
        {shown.map((field) => (
          <div key={field.key}>
            <dt>{names.field(field.key, device.family)}</dt>
            <dd>
              <FieldCell
                field={field}
                value={(device[field.key] ?? null) as FieldValue}
                label={device.secrets.includes(field.key) ? t('facts.secret') : device.labels[field.key]}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
