import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { familyPageNames, familyPages } from '../../../../../contract/family-pages.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ReportedValue } from '../../../parts/declared/columns.tsx';
import { Card, Empty, ErrorState, Icon, RelativeTime, Skeleton, StateShape } from '../../../parts/index.ts';
import { DeviceMark, useDeviceState, type Device } from '../../../parts/devices/device-state.tsx';
import { DeviceLink, iconOf } from '../../../parts/devices/Head.tsx';
import styles from './pole.module.css';

const REFRESH_MS = 15_000;
const MOST = 200;
const KEY_READINGS = 4;
const order: readonly string[] = familyPageNames.map((name) => familyPages[name].family);
const rank = ({ family }: Device): number => (isLamp(family) ? -1 : order.indexOf(family));

/** Everything on the pole, from the lamp down, each with what it is doing. */
export function Mounted({ poleId }: { poleId: number }) {
  const { t } = useTranslation('devices');
  const { data, error, refetch } = useCall(
    listDevices,
    { query: { poleId, size: MOST } },
    { staleTime: 0, every: REFRESH_MS },
  );
  const all: readonly Device[] = data?.data ?? [];
  const devices = all.toSorted((a, b) => rank(a) - rank(b));
  return (
    <Card title={t('mounted.title')} extra={data ? t('mounted.count', { n: data.recordsTotal }) : null}>
      {!data ? error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton rows={6} /> : null}
      {data && devices.length === 0 ? <Empty title={t('mounted.none')} text={t('mounted.noneText')} /> : null}
      {devices.length > 0 ? (
        <ul className={styles.mounted}>
          {devices.map((device) => (
            <MountedDevice key={device.id} device={device} />
          ))}
        </ul>
      ) : null}
      {data && data.recordsTotal > devices.length ? (
        <p className={styles.note}>{t('mounted.more', { n: data.recordsTotal - devices.length })}</p>
      ) : null}
    </Card>
  );
}

function MountedDevice({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const names = useNames();
  const { mark } = useDeviceState()(device);
  const family = familyOf(device.family);
  const keys =
    family?.listColumns
      .filter((column) => column.startsWith('latest.'))
      .map((column) => column.slice('latest.'.length)) ?? [];
  const readings = keys
    .flatMap((key) => family?.quantity.get(key) ?? [])
    .filter(({ key }) => device.latest?.values[key] !== undefined)
    .slice(0, KEY_READINGS);
  const name = String(device['equipmentName'] ?? '');
  return (
    <li>
      <span className={styles.node} aria-hidden>
        <StateShape state={mark} size={14} />
      </span>
      <div className={styles.device}>
        <span className={styles.icon} aria-hidden>
          <Icon name={iconOf(device.family)} size={20} />
        </span>
        <div className={styles.who}>
          <b>{names.family(device.family)}</b>
          <span>
            <DeviceLink family={device.family} id={device.id}>
              <span className="code">{String(device['equipmentCode'])}</span>
            </DeviceLink>
            {name === '' ? null : ` · ${name}`}
          </span>
        </div>
        <div className={styles.state}>
          <DeviceMark device={device} />
          {device.since ? (
            <small>
              {t('head.since')} <RelativeTime at={device.since} />
            </small>
          ) : null}
        </div>
        {readings.length > 0 ? (
          <dl className={styles.readings}>
            {readings.map((quantity) => (
              <div key={quantity.key}>
                <dt>{names.quantity(quantity.key)}</dt>
                <dd>
                  <ReportedValue quantity={quantity} value={device.latest?.values[quantity.key]} />
                </dd>
              </div>
            ))}
            <div className={styles.at}>
              <dt>{t('mounted.reported')}</dt>
              <dd>
                <RelativeTime at={device.latest?.at} />
              </dd>
            </div>
          </dl>
        ) : family?.report ? (
          <p className={styles.silent}>{t('values.none')}</p>
        ) : null}
      </div>
    </li>
  );
}
