import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pageOfFamily, familyPages } from '../../../../contract/family-pages.ts';
import { useDeviceAddress } from '../../frame/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { Icon, iconNameOf, RelativeTime, type IconName } from '../index.ts';
import { DeviceMark, type Device } from './device-state.tsx';
import { AddressLink } from './AddressLink.tsx';
import styles from './device.module.css';

/** The icon of a family: that of its page. */
export const iconOf = (family: string): IconName => {
  const page = pageOfFamily(family);
  return iconNameOf(page && familyPages[page].icon);
};

/** Opens the page of another device; plain text for who may not. */
export function DeviceLink({ family, id, children }: { family: string; id: number; children: ReactNode }) {
  const address = useDeviceAddress()(family, id);
  return address === undefined ? <>{children}</> : <AddressLink address={address}>{children}</AddressLink>;
}

/** Which device a page is about: code, state, name, where it belongs, and since when it is so. */
export function Head({ device, actions }: { device: Device; actions: ReactNode }) {
  const { t } = useTranslation('devices');
  const names = useNames();
  const name = String(device['equipmentName'] ?? '');
  const [road, project] = [device.labels['roadId'], device.labels['workId']];
  const pole = device['lamppostId'];
  return (
    <header className={styles.head}>
      <span className={styles.emblem} aria-hidden>
        <Icon name={iconOf(device.family)} size={26} />
      </span>
      <div className={styles.who}>
        <div className={styles.title}>
          <h1 className="code">{String(device['equipmentCode'])}</h1>
          <DeviceMark device={device} />
        </div>
        <p>{[name, names.family(device.family)].filter((part) => part !== '').join(' · ')}</p>
        <p className={styles.faint}>
          {[project, road].filter((part) => part !== undefined).join(' · ')}
          {typeof pole === 'number' && device.labels['lamppostId'] !== undefined ? (
            <>
              {' '}
              · {t('head.pole')}{' '}
              <DeviceLink family="lamp-pole" id={pole}>
                <span className="code">{device.labels['lamppostId']}</span>
              </DeviceLink>
            </>
          ) : null}
          {device.since ? (
            <>
              {' '}
              · {t('head.since')} <RelativeTime at={device.since} />
            </>
          ) : null}
        </p>
      </div>
      <div className={styles.actions}>{actions}</div>
    </header>
  );
}
