import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../../locales/catalogue-names.ts';
import { LevelMeter, Quantity, RelativeTime, StateMark } from '../../../parts/index.ts';
import { placeOf, type Lamp } from '../../../parts/lamp/lamp.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import styles from './monitor.module.css';

/** The columns of the list: words left, numbers right with units, state as shape and word, level as a bar of light. */
export function useLampColumns(onOpen: (id: number) => void): ListColumn<Lamp>[] {
  const { t } = useTranslation('lamp');
  const names = useNames();
  return useMemo(() => {
    const short = styles.short;
    return [
      {
        key: 'code',
        name: t('list.code'),
        className: short,
        sortable: true,
        always: true,
        cell: (lamp) => (
          <button type="button" className={styles.code} onClick={() => onOpen(lamp.id)}>
            {lamp.code}
          </button>
        ),
      },
      {
        key: 'state',
        name: t('list.state'),
        className: short,
        sortable: true,
        state: true,
        cell: (lamp) => (
          <StateMark state={lamp.state} word={lamp.fault === null ? undefined : names.fault(lamp.fault)} />
        ),
      },
      {
        key: 'level',
        name: t('list.level'),
        className: short,
        sortable: true,
        inCard: true,
        isEmpty: (lamp) => !lamp.online || lamp.level === null,
        cell: (lamp) => <LevelMeter level={lamp.online ? lamp.level : null} />,
      },
      {
        key: 'power',
        name: names.quantity('power'),
        align: 'right',
        className: short,
        sortable: true,
        inCard: true,
        isEmpty: (lamp) => lamp.power === null,
        cell: (lamp) => <Quantity value={lamp.power} unit="W" decimals={1} stale={!lamp.online} />,
      },
      {
        key: 'voltage',
        name: names.quantity('voltage'),
        align: 'right',
        className: short,
        sortable: true,
        isEmpty: (lamp) => lamp.voltage === null,
        cell: (lamp) => <Quantity value={lamp.voltage} unit="V" decimals={1} stale={!lamp.online} />,
      },
      {
        key: 'energy',
        name: t('energyTonight'),
        align: 'right',
        className: short,
        isEmpty: (lamp) => lamp.energyTonight === null,
        cell: (lamp) => <Quantity value={lamp.energyTonight} unit="kWh" decimals={2} stale={!lamp.online} />,
      },
      {
        key: 'roadName',
        name: t('list.place'),
        className: styles.place,
        sortable: true,
        inCard: true,
        cell: (lamp) => placeOf(lamp),
      },
      {
        key: 'poleCode',
        name: t('list.pole'),
        className: short,
        cell: (lamp) => (lamp.poleCode === null ? '—' : <span className="code">{lamp.poleCode}</span>),
      },
      {
        key: 'at',
        name: t('list.reported'),
        className: short,
        sortable: true,
        inCard: true,
        isEmpty: (lamp) => lamp.at === null,
        cell: (lamp) => <RelativeTime at={lamp.at} />,
      },
    ];
  }, [t, names, onOpen]);
}
