import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { useDeviceAddress, useOpen, usePageExists } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ReportedValue } from '../../../parts/declared/columns.tsx';
import type { Row } from '../../../parts/declared/source.ts';
import { Card, Empty, Icon, RelativeTime } from '../../../parts/index.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { Position } from '../../../parts/devices/Position.tsx';
import styles from './connect.module.css';

interface Props {
  row: Row;
  onNext: () => void;
  onLine: () => void;
}

/** Step 4: what the device says, where it stands, and on to the next one. */
export function DoneStep({ row, onNext, onLine }: Props) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const open = useOpen();
  const exists = usePageExists();
  const device = row as unknown as Device;
  const page = useDeviceAddress()(device.family, device.id);
  const { latest } = device;
  const reported =
    latest === null
      ? []
      : (familyOf(device.family)?.quantities ?? []).filter(({ key }) => latest.values[key] !== undefined);
  return (
    <div className={styles.done}>
      <Card title={t('done.values')} extra={latest?.receivedAt ? <RelativeTime at={latest.receivedAt} /> : null}>
        {reported.length === 0 ? (
          <Empty title={t('done.nothing')} action={{ text: t('step.line'), onClick: onLine }} />
        ) : (
          <dl className={styles.values}>
            {reported.map((quantity) => (
              <div key={quantity.key}>
                <dt>{names.quantity(quantity.key)}</dt>
                <dd>
                  <ReportedValue quantity={quantity} value={latest?.values[quantity.key]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      <Position device={device} />
      <div className={styles.foot}>
        <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={onNext}>
          {t('done.next')}
        </Button>
        {page === undefined ? null : <Button onClick={() => open(page)}>{t('done.page')}</Button>}
        {isLamp(device.family) && exists('lamp/monitor') ? (
          <Button onClick={() => open('lamp/monitor', { search: `?lamp=${device.id}` })}>{t('done.map')}</Button>
        ) : null}
      </div>
    </div>
  );
}
