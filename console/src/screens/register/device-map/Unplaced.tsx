import { useState } from 'react';
import { Button, Input, Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { listUnplacedDevices, type UnplacedDevice } from '../../../../../contract/register/device-map.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Empty, ErrorState, Icon, Skeleton } from '../../../parts/index.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import styles from './map.module.css';

const SIZE = 20;
export type Lost = Static<typeof UnplacedDevice>;
/** What a dragged line carries. */
export const dragType = 'application/x-lampyris-device';

/** What stands nowhere yet: drag it onto the map, or place it in the middle and move it from there. */
export function Unplaced({
  onPlace,
  onDrag,
  onClose,
}: {
  onPlace: (device: Lost) => void;
  onDrag: (device: Lost) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('device-map');
  const names = useNames();
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useCall(
    listUnplacedDevices,
    { query: { size: SIZE, page, ...(q === '' ? {} : { q }) } },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <aside className={styles.unplaced} aria-label={t('unplaced.title')}>
      <header>
        <h2>
          {t('unplaced.title')}
          {data ? ` (${data.recordsTotal})` : ''}
        </h2>
        <button
          type="button"
          className={styles.iconButton}
          aria-label={t('unplaced.close')}
          title={t('unplaced.close')}
          onClick={onClose}
        >
          <Icon name="close" size={16} />
        </button>
      </header>
      <Input.Search
        allowClear
        aria-label={t('unplaced.search')}
        placeholder={t('unplaced.search')}
        onSearch={(text) => {
          setQ(text.trim());
          setPage(1);
        }}
      />
      {error && !data ? <ErrorState error={error} onRetry={refetch} /> : null}
      {isPending ? <Skeleton rows={5} /> : null}
      {data && data.data.length === 0 ? <Empty title={t(q === '' ? 'unplaced.none' : 'unplaced.noMatch')} /> : null}
      <ul>
        {data?.data.map((device) => (
          <li
            key={device.id}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(dragType, String(device.id));
              event.dataTransfer.effectAllowed = 'move';
              onDrag(device);
            }}
          >
            <Icon name={familyIcon(device.family)} size={16} />
            <div className={styles.who}>
              <b className="code">{device.code}</b>
              <small>{[names.family(device.family), device.name, device.roadName].filter(Boolean).join(' · ')}</small>
            </div>
            <Button size="small" aria-label={`${t('edit.place')} ${device.code}`} onClick={() => onPlace(device)}>
              {t('edit.place')}
            </Button>
          </li>
        ))}
      </ul>
      {data && data.recordsTotal > SIZE ? (
        <Pagination simple size="small" current={page} pageSize={SIZE} total={data.recordsTotal} onChange={setPage} />
      ) : null}
    </aside>
  );
}
