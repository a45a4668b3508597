import { useMemo } from 'react';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { endDemoEvening, getDemo } from '../../../../../contract/shell/demo.ts';
import { getHome, getHomeChanges, getHomeCurve } from '../../../../../contract/light/home.ts';
import { useCall, useLive, useLiveState, useSend, useSoon } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { inPreview } from '../../../session/index.ts';
import {
  Card,
  Empty,
  ErrorState,
  formatNumber,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  StaleNote,
  toast,
  useErrorText,
  useTime,
} from '../../../parts/index.ts';
import { TourButton } from '../../../parts/tour/index.ts';
import { TimeChart, type ChartLine, type TimeChartSpec } from '../../../parts/charts/index.ts';
import { Changes, FaultKinds } from './Changes.tsx';
import { Figures } from './Figures.tsx';
import styles from './home.module.css';
import { Tonight } from './Tonight.tsx';
import { NightRibbon, type Home, type HomeCurve } from './NightRibbon.tsx';
import { withSwitches, type Known } from './ribbon.ts';

/** In a city something changes every second; so often the figures are asked for at most. */
const SOON_MS = 5000;

/** What a duty operator wants first: is the city lit, what is wrong, what does it cost, what changed. */
export default function HomePage() {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const open = useOpen();
  const live = useLiveState();
  const home = useCall(getHome, undefined, { every: 60_000 });
  const curve = useCall(getHomeCurve, undefined, { every: 300_000 });
  const changes = useCall(getHomeChanges, { query: { size: 12 } }, { every: 60_000 });
  const soon = useSoon(() => {
    void home.refetch();
    void changes.refetch();
  });
  useLive('home', (message) => {
    if (message.type === 'home' || message.type === 'stale') soon(message.type === 'home' ? SOON_MS : 0);
  });
  const data = home.data;
  const exists = usePageExists();
  const mayAdd = usePermission('device.add') && exists('asset/single-lamp-controllers') && !inPreview();
  if (home.error && !data)
    return (
      <Page>
        <PageBar title={t('title')} />
        <ErrorState error={home.error} onRetry={home.refetch} />
      </Page>
    );
  if (data?.lamps === 0) {
    return (
      <Page>
        <PageBar title={t('title')} />
        <Card>
          <Empty
            ofProjects
            title={t('begin.title')}
            text={t('begin.text')}
            {...(mayAdd
              ? { action: { text: t('begin.action'), onClick: () => open('asset/single-lamp-controllers') } }
              : {})}
          />
        </Card>
      </Page>
    );
  }
  return (
    <Page>
      <RefreshBar active={home.isFetching && !home.isPending} />
      <DemoNotice />
      <PageBar
        actions={<TourButton />}
        title={
          data
            ? t('titleOf', { date: dayText(data.night.onAt ?? data.night.from, i18n.language, data.night.timeZone) })
            : t('title')
        }
        note={
          data ? (
            <>
              {t('note', { on: time(data.night.onAt, 'minute'), off: time(data.night.offAt, 'minute') })}
              {live.state === 'live' || live.since === 0 ? null : (
                <>
                  {' '}
                  <StaleNote time={time(live.since, 'minute')} />
                </>
              )}
            </>
          ) : undefined
        }
      />
      {data && curve.data ? (
        <NightRibbon home={data} curve={curve.data} />
      ) : curve.error ? (
        <Card>
          <ErrorState error={curve.error} onRetry={curve.refetch} />
        </Card>
      ) : (
        <Skeleton rows={5} height={172} />
      )}
      {data ? <Figures home={data} /> : <Skeleton rows={3} height={124} />}
      <Tonight />
      <div className={styles.lower}>
        <div className={styles.column}>
          <Card title={t('chart.title')} extra={<Legend />}>
            {curve.data && data ? (
              <PowerChart curve={curve.data} home={data} />
            ) : curve.error ? (
              <ErrorState error={curve.error} onRetry={curve.refetch} />
            ) : (
              <Skeleton rows={6} height={300} />
            )}
          </Card>
          {data ? <FaultKinds faults={data.faults} /> : null}
        </div>
        <Changes changes={changes} />
      </div>
    </Page>
  );
}

/** "11月20日", "November 20": the evening's day in the area's zone. */
function dayText(at: string, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'en-XA' ? 'en-US' : language, {
    month: 'long',
    day: 'numeric',
    timeZone,
  }).format(new Date(at));
}

function Legend() {
  const { t } = useTranslation('home');
  return (
    <span className={styles.legend}>
      {(['tonight', 'previous', 'plan'] as const).map((line) => (
        <span key={line}>
          <i data-line={line} />
          {t(`chart.${line}`)}
        </span>
      ))}
    </span>
  );
}

const instant = (at: string): number => new Date(at).getTime();

function PowerChart({ curve, home }: { curve: HomeCurve; home: Home }) {
  const { t, i18n } = useTranslation('home');
  const spec = useMemo((): TimeChartSpec => {
    const from = instant(curve.from);
    const step = curve.stepSeconds * 1000;
    const { sunset, sunrise, onAt, offAt } = home.night;
    const switches = [onAt, offAt].map((at) => (at === null ? null : instant(at)));
    const points = (values: readonly (number | null)[]) =>
      withSwitches(
        values.map((value, index): Known => [from + index * step, value]),
        switches,
      ) as ChartLine['points'];
    return {
      from,
      to: instant(curve.to),
      unit: 'kW',
      decimals: 1,
      nights: sunset === null || sunrise === null ? [] : [{ from: instant(sunset), to: instant(sunrise) }],
      lines: [
        { name: t('chart.previous'), kind: 'reference', points: points(curve.previousKw) },
        { name: t('chart.plan'), kind: 'plan', points: points(curve.planKw), stepped: true },
        { name: t('chart.tonight'), kind: 'light', points: points(curve.powerKw), endLabel: true },
      ],
    };
  }, [curve, home.night, t]);
  const last = curve.powerKw.findLast((value) => value !== null) ?? null;
  return (
    <TimeChart
      spec={spec}
      height={300}
      label={t('chart.label', { last: last === null ? '—' : `${formatNumber(last, i18n.language, 1)} kW` })}
    />
  );
}

/** A demo city's evening: says that the sun is moved, and ends it with one click. */
function DemoNotice() {
  const { t } = useTranslation('home');
  const textOf = useErrorText();
  const client = useQueryClient();
  const demo = useCall(getDemo, undefined, { staleTime: 60_000 });
  const end = useSend(endDemoEvening, [getDemo], { quiet: true });
  const may = usePermission('demo.control');
  if (!demo.data?.active || !demo.data.demoEvening) return null;
  const finish = async () => {
    try {
      await end.mutateAsync({});
      await client.invalidateQueries();
      toast.done(t('demo.ended'));
    } catch (error) {
      toast.failed(textOf(error));
    }
  };
  return (
    <div className={styles.demo} role="note">
      <span>
        <b>{t('demo.title')}</b> {t('demo.text')}
      </span>
      {may ? (
        <Button size="small" loading={end.isPending} onClick={() => void finish()}>
          {t('demo.end')}
        </Button>
      ) : null}
    </div>
  );
}
