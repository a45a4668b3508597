import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getHistoryQuantities, mostCurveQuantities } from '../../../../../contract/history/history.ts';
import { useCall, useLive } from '../../../api/index.ts';
import { usePageAddress } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { CurveStack } from '../../../parts/curves/CurveStack.tsx';
import { gapsWithin } from '../../../parts/curves/gaps.ts';
import { Card, Empty, ErrorState, formatList, Skeleton, useTime } from '../../../parts/index.ts';
import { quantitiesOf, usualQuantities } from '../../../parts/series/devices.ts';
import { panelsOf } from '../../../parts/series/panels.ts';
import type { SpanName } from '../../../parts/series/spans.ts';
import { useHistory } from '../../../parts/series/use-history.ts';
import { useNights } from '../../../parts/series/use-nights.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { AddressLink } from '../../../parts/devices/AddressLink.tsx';
import styles from './device.module.css';

const spans = ['24h', 'night', '7d', '30d'] as const satisfies readonly SpanName[];
const first = 4;
const height = 92;

/** The curves of what a device measures, over one span; where nothing was measured nothing is drawn. */
export function Curves({ device }: { device: Device }) {
  const { t } = useTranslation('curves');
  const [span, setSpan] = useState<(typeof spans)[number]>('24h');
  const [all, setAll] = useState(false);
  const { data, error, refetch } = useCall(getHistoryQuantities, { query: { deviceIds: String(device.id) } });
  const page = usePageAddress()('lamp/history');
  const quantities = useMemo(() => {
    const usual = usualQuantities(data?.data ?? [], first);
    const others = quantitiesOf(data?.data ?? [])
      .filter(({ key, reported }) => reported && !usual.includes(key))
      .map(({ key }) => key);
    return [...usual, ...others];
  }, [data]);
  const shown = [quantities.slice(0, first), ...(all ? chunked(quantities.slice(first)) : [])].filter(
    (some) => some.length > 0,
  );
  const choice = (
    <Segmented
      size="small"
      value={span}
      onChange={setSpan}
      aria-label={t('span')}
      options={spans.map((value) => ({ value, label: t(`span.${value}`) }))}
    />
  );
  return (
    <Card title={t('device.curves')} extra={choice}>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : (
          <Skeleton rows={6} height={first * (height + 72)} />
        )
      ) : null}
      {data && quantities.length === 0 ? <Empty title={t('empty.none')} text={t('empty.noneText')} /> : null}
      <div className={styles.stacks}>
        {shown.map((some) => (
          <Stack key={some.join()} device={device} quantities={some} span={span} />
        ))}
      </div>
      <div className={styles.curvesFoot}>
        {quantities.length > first ? (
          <Button type="text" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? t('device.fewer') : t('device.all', { n: quantities.length })}
          </Button>
        ) : null}
        {page === undefined || quantities.length === 0 ? null : (
          <AddressLink
            address={`${page}?${new URLSearchParams({ devices: String(device.id), quantities: quantities.slice(0, first).join(','), span }).toString()}`}
          >
            {t('device.open')}
          </AddressLink>
        )}
      </div>
    </Card>
  );
}

const chunked = (keys: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(keys.length / mostCurveQuantities) }, (_, index) =>
    keys.slice(index * mostCurveQuantities, (index + 1) * mostCurveQuantities),
  );

/** Some quantities of the device, each in a picture of its own. */
function Stack({ device, quantities, span: name }: { device: Device; quantities: readonly string[]; span: SpanName }) {
  const { t, i18n } = useTranslation('curves');
  const names = useNames();
  const time = useTime();
  const choice = useMemo(
    () => ({ devices: [device.id], quantities, span: name, resolution: null, compare: null }),
    [device.id, quantities, name],
  );
  const {
    base,
    reply,
    curves,
    span: { from, to },
    now,
    about,
    heard,
  } = useHistory(choice);
  useLive(`device:${device.id}`, heard);
  const nights = useNights(about.data?.data ?? [], { from, to });
  const panels = useMemo(
    () =>
      panelsOf(
        curves,
        { from, to },
        { apart: 'curves', height, titleOf: (keys) => keys.map((key) => names.quantity(key)).join() },
      ),
    [curves, from, to, names],
  );
  if (base.error && !reply) return <ErrorState error={base.error} onRetry={base.refetch} />;
  if (!reply) return <Skeleton rows={6} height={quantities.length * (height + 72)} />;
  if (curves.every(({ points }) => points.times.length === 0))
    return <Empty title={t('empty.none')} text={t('empty.noneText')} />;
  const label = t('label', {
    names: formatList(
      curves.map((curve) => curve.name),
      i18n.language,
    ),
    from: time(from, 'dayTime'),
    to: time(to, 'dayTime'),
    n: curves.length,
    gaps: curves.reduce((sum, { points }) => sum + gapsWithin(points.gaps, { from, to }).length, 0),
  });
  return <CurveStack panels={panels} span={{ from, to }} nights={nights} now={now} label={label} />;
}
