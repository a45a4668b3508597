import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { listDeviceReadings } from '../../../../contract/routes/devices.ts';
import { useCall } from '../../api/index.ts';
import { useNames } from '../../parts/catalogue-names.ts';
import { TimeChart } from '../../parts/charts/index.ts';
import { Card, Empty, ErrorState, formatNumber, Skeleton, useTime } from '../../parts/index.ts';
import { curveOf, gapsIn } from './curves.ts';
import type { Device } from './device-state.tsx';
import styles from './device.module.css';

const spans = [6, 24, 72, 168] as const;
const FIRST = 4;
const HEIGHT = 150;

/** The curves of everything a device measures, over one span; where nothing was measured nothing is drawn. */
export function Curves({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [hours, setHours] = useState<number>(24);
  // The end moves only with a newer reading: curves that are asked for anew each second would never be drawn.
  const [openedAt] = useState(() => Date.now());
  const to = Math.max(openedAt, device.latest?.at ? Date.parse(device.latest.at) : 0);
  const choice = <Segmented size="small" value={hours} onChange={setHours} aria-label={t('curves.span')} options={spans.map((value) => ({ value, label: value < 72 ? t('curves.hours', { n: value }) : t('curves.days', { n: value / 24 }) }))} />;
  return <Card title={t('curves.title')} extra={choice}><Drawn device={device} span={{ from: to - hours * 3_600_000, to }} /></Card>;
}

function Drawn({ device, span }: { device: Device; span: { from: number; to: number } }) {
  const { t, i18n } = useTranslation('devices');
  const names = useNames();
  const time = useTime();
  const [all, setAll] = useState(false);
  const { from, to } = span;
  const asked = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { data, error, refetch } = useCall(listDeviceReadings, { params: { id: device.id }, query: asked }, { keepPrevious: true, quiet: true });
  const curves = useMemo(() => {
    const family = familyOf(device.family);
    if (!data || !family?.report) return [];
    const gaps = gapsIn(data.data, family.report, to);
    return family.quantities.flatMap((quantity) => {
      if (quantity.kind !== 'number') return [];
      const unit = quantity.unit === 'one' ? '' : names.unit(quantity.unit);
      const curve = curveOf(quantity, data.data, gaps, { from, to }, { name: names.quantity(quantity.key), unit });
      return curve ? [{ quantity, unit, gaps, ...curve }] : [];
    });
  }, [data, device.family, from, to, names]);
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <Skeleton rows={4} height={HEIGHT * 2} />;
  if (curves.length === 0) return <Empty title={t('curves.none')} text={t('curves.noneText')} />;
  return (
    <>
      {data.truncated ? <p className={styles.note}>{t('curves.truncated')}</p> : null}
      <div className={styles.curves}>
        {(all ? curves : curves.slice(0, FIRST)).map(({ quantity, unit, gaps, spec, last }) => (
          <section key={quantity.key}>
            <h3>{names.quantity(quantity.key)}</h3>
            <TimeChart spec={spec} height={HEIGHT} label={t('curves.label', { name: names.quantity(quantity.key), from: time(from, 'dayTime'), to: time(to, 'dayTime'), last: `${formatNumber(last, i18n.language, quantity.decimals)} ${unit}`.trim(), gaps: gaps.length })} />
          </section>
        ))}
      </div>
      {curves.length > FIRST ? <Button type="text" onClick={() => setAll(!all)} aria-expanded={all}>{all ? t('curves.fewer') : t('curves.all', { n: curves.length })}</Button> : null}
    </>
  );
}
