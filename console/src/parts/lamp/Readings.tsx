import { useTranslation } from 'react-i18next';
import { Quantity } from '../index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { Lamp } from './lamp.ts';
import styles from './readings.module.css';

/** The readings an operator looks at first, with their units; missing is "—". */
export function Readings({ lamp, wide = false }: { lamp: Lamp; wide?: boolean }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const cells = [
    { name: names.quantity('power'), value: lamp.power, unit: 'W', decimals: 1 },
    { name: names.quantity('voltage'), value: lamp.voltage, unit: 'V', decimals: 1 },
    { name: names.quantity('current'), value: lamp.current, unit: 'A', decimals: 2 },
    { name: names.quantity('powerFactor'), value: lamp.powerFactor, unit: undefined, decimals: 2 },
    { name: names.quantity('temperature'), value: lamp.temperature, unit: '°C', decimals: 1 },
    { name: t('energyTonight'), value: lamp.energyTonight, unit: 'kWh', decimals: 2 },
  ];
  return (
    <dl className={wide ? `${styles.readings} ${styles.wide}` : styles.readings}>
      {cells.map(({ name, value, unit, decimals }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Quantity
              value={value}
              {...(unit === undefined ? {} : { unit })}
              decimals={decimals}
              stale={!lamp.online}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}
