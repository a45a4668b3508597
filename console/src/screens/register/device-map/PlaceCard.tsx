import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../../catalogue/capabilities.ts';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ErrorState, Icon, Skeleton } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import { DeviceMark, type Device } from '../../../parts/devices/device-state.tsx';
import { DeviceLink } from '../../../parts/devices/Head.tsx';
import styles from './map.module.css';

const MOST = 100;
interface Props {
  field: DeviceField;
  deviceId: number;
  onClose: () => void;
  /** Absent: positions are not being edited. */
  onMove?: ((device: Device) => void) | undefined;
  onSelect: (ids: readonly number[]) => void;
}

/** What stands at the clicked place: the pole first, each with what it is doing and the way to its page. */
export function PlaceCard({ field, deviceId, onClose, onMove, onSelect }: Props) {
  const { t } = useTranslation('device-map');
  const index = field.indexOf(deviceId);
  const stack = index === undefined ? [deviceId] : field.stackOf(index).map((one) => field.ids[one]!);
  const shown = stack.slice(0, MOST);
  const asked = useCall(
    listDevices,
    { query: { ids: shown.join(','), size: MOST } },
    { staleTime: 5_000, every: 15_000 },
  );
  const here = ((asked.data?.data ?? []) as readonly Device[]).toSorted(
    (a, b) => shown.indexOf(a.id) - shown.indexOf(b.id),
  );
  const poleId = here.find(({ family }) => carriesOthers(family))?.id;
  // What hangs on the pole belongs here even where its own position is an arm's length away.
  const mounted = useCall(
    listDevices,
    { query: { poleId: poleId ?? 1, size: MOST } },
    { enabled: poleId !== undefined, staleTime: 5_000 },
  );
  const arms =
    poleId === undefined
      ? []
      : ((mounted.data?.data ?? []) as readonly Device[]).filter(({ id }) => !stack.includes(id));
  const devices = [...here, ...arms];
  const count = stack.length + arms.length;
  return (
    <aside className={styles.card} aria-label={t('card.label')}>
      <header>
        <h2>{count > 1 ? t('card.stack', { n: count }) : t('card.one')}</h2>
        <button
          type="button"
          className={styles.iconButton}
          aria-label={t('card.close')}
          title={t('card.close')}
          onClick={onClose}
        >
          <Icon name="close" size={16} />
        </button>
      </header>
      {index === undefined && asked.data ? (
        <p className={styles.note}>{t(devices.length === 0 ? 'card.gone' : 'card.nowhere')}</p>
      ) : null}
      {asked.error && !asked.data ? <ErrorState error={asked.error} onRetry={asked.refetch} /> : null}
      {asked.isPending ? <Skeleton rows={2} /> : null}
      <ul>
        {devices.map((device) => (
          <Line key={device.id} device={device} onMove={onMove} />
        ))}
      </ul>
      {stack.length > MOST ? <p className={styles.note}>{t('card.more', { n: stack.length - MOST })}</p> : null}
      {index === undefined ? null : (
        <footer>
          <Button size="small" onClick={() => onSelect([...stack, ...arms.map(({ id }) => id)])}>
            {t(count > 1 ? 'card.selectAll' : 'card.select')}
          </Button>
        </footer>
      )}
    </aside>
  );
}

function Line({ device, onMove }: { device: Device; onMove: Props['onMove'] }) {
  const { t } = useTranslation('device-map');
  const names = useNames();
  const code = String(device['equipmentCode']);
  const name = typeof device['equipmentName'] === 'string' ? device['equipmentName'] : '';
  const road = device.labels['roadId'];
  return (
    <li>
      <Icon name={familyIcon(device.family)} size={18} />
      <div className={styles.who}>
        <span>
          <DeviceLink family={device.family} id={device.id}>
            <b className="code">{code}</b>
          </DeviceLink>{' '}
          <DeviceMark device={device} />
        </span>
        <small>{[names.family(device.family), name, road].filter(Boolean).join(' · ')}</small>
      </div>
      {onMove ? (
        <Button size="small" aria-label={`${t('edit.move')} ${code}`} onClick={() => onMove(device)}>
          {t(device.latchedPosition === null ? 'edit.place' : 'edit.move')}
        </Button>
      ) : null}
    </li>
  );
}
