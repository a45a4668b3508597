import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getEnergy } from '../../../../../contract/history/history.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { durationText } from '../../../parts/charts/index.ts';
import { Card, Empty, ErrorState, formatNumber, Skeleton, useTime } from '../../../parts/index.ts';
import { useZone } from '../../../parts/time/zone.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { energyAsked, energySteps, type EnergySpan } from './energy.ts';
import styles from './energy.module.css';

const spans = ['month', 'lastMonth', 'year'] as const satisfies readonly EnergySpan[];
const kinds = ['measured', 'estimated', 'calculated'] as const;
type Reply = ReplyOf<typeof getEnergy>;
type Steps = ReturnType<typeof energySteps>;

/** What a device consumed, day by day or month by month, and how well that is known. */
export function Energy({ device }: { device: Device }) {
  const { t } = useTranslation('curves');
  const zone = useZone();
  const [span, setSpan] = useState<EnergySpan>('month');
  const [now] = useState(() => Date.now());
  const asked = energyAsked(span, now, zone);
  const { data, error, refetch } = useCall(
    getEnergy,
    { query: { deviceIds: String(device.id), ...asked } },
    { keepPrevious: true, staleTime: 60_000 },
  );
  const choice = (
    <Segmented
      size="small"
      value={span}
      onChange={setSpan}
      aria-label={t('energy.by')}
      options={spans.map((value) => ({ value, label: t(`energy.${value}`) }))}
    />
  );
  return (
    <Card title={t('energy')} extra={choice}>
      {!data ? error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton rows={5} height={220} /> : null}
      {data?.rows.length === 0 ? <Empty title={t('energy.none')} text={t('energy.noneText')} /> : null}
      {data && data.rows.length > 0 ? <Told reply={data} steps={energySteps(asked, data.rows)} /> : null}
    </Card>
  );
}

function Told({ reply: { total, countedTo }, steps }: { reply: Reply; steps: Steps }) {
  const { t, i18n } = useTranslation('curves');
  const time = useTime();
  const [open, setOpen] = useState(false);
  const kwh = (amount: number): string => formatNumber(amount, i18n.language, amount < 10 ? 3 : 1);
  const share = (amount: number): string =>
    formatNumber(total.kwh > 0 ? (amount / total.kwh) * 100 : 0, i18n.language, 1);
  const most = steps.reduce<Steps[number] | null>(
    (best, one) => ((one.row?.kwh ?? -1) > (best?.row?.kwh ?? -1) ? one : best),
    null,
  );
  return (
    <>
      <p className={styles.total}>
        <b>{t('energy.total', { kwh: kwh(total.kwh) })}</b>
        {countedTo === null ? null : <small>{t('energy.counted', { time: time(countedTo, 'dayTime') })}</small>}
      </p>
      <p className={styles.shares}>
        {t('energy.shares', {
          measured: share(total.measured),
          estimated: share(total.estimated),
          calculated: share(total.calculated),
        })}
      </p>
      {total.invalidSeconds > 0 ? (
        <p className={styles.shares}>
          {t('energy.invalid', { length: durationText(total.invalidSeconds * 1000, i18n.language) })}
        </p>
      ) : null}
      {total.resets > 0 ? <p className={styles.shares}>{t('energy.resets', { n: total.resets })}</p> : null}
      <Bars
        steps={steps}
        label={t('energy.label', {
          n: steps.filter(({ row }) => row !== null).length,
          kwh: kwh(total.kwh),
          most: most?.step ?? '—',
        })}
        title={(step) => `${step.step} · ${step.row === null ? '—' : `${kwh(step.row.kwh)} kWh`}`}
      />
      <ul className={styles.legend}>
        {kinds.map((kind) => (
          <li key={kind}>
            <i data-kind={kind} aria-hidden />
            {t(`energy.${kind}`)}
          </li>
        ))}
      </ul>
      <Button type="text" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'energy.hideTable' : 'energy.showTable')}
      </Button>
      {open ? (
        <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('energy.table')}>
          <table className={styles.table} aria-label={t('energy.table')}>
            <thead>
              <tr>
                <th scope="col">{t('energy.step')}</th>
                <th scope="col">{t('energy.kwh')} (kWh)</th>
                {kinds.map((kind) => (
                  <th key={kind} scope="col">
                    {t(`energy.${kind}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {steps.map(({ step, row }) => (
                <tr key={step}>
                  <th scope="row">{step}</th>
                  {(['kwh', ...kinds] as const).map((key) => (
                    <td key={key}>{row === null ? '—' : kwh(row[key])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </>
  );
}

/** A column a step, its parts by how well they are known; where nothing is known there is no column. */
function Bars({ steps, label, title }: { steps: Steps; label: string; title: (step: Steps[number]) => string }) {
  const most = Math.max(1e-9, ...steps.map(({ row }) => row?.kwh ?? 0));
  const every = Math.ceil(steps.length / 8);
  return (
    <div className={styles.bars} role="img" aria-label={label}>
      {steps.map((one, index) => (
        <span key={one.step} title={title(one)}>
          <span className={styles.column}>
            {one.row === null
              ? null
              : kinds.map((kind) => (
                  <i key={kind} data-kind={kind} style={{ height: `${((one.row?.[kind] ?? 0) / most) * 100}%` }} />
                ))}
          </span>
          <small aria-hidden>{index % every === 0 ? one.step.slice(-2) : '\u00A0'}</small>
        </span>
      ))}
    </div>
  );
}
