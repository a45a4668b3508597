import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getTonight } from '../../../../../contract/light/nights.ts';
import { useCall, useLive, useLiveState, useSoon } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { inPreview } from '../../../session/index.ts';
import { Card, Empty, ErrorState, RefreshBar, StaleNote, useTime } from '../../../parts/index.ts';
import type { Home } from './calls.ts';
import { TourButton } from '../../../parts/tour/index.ts';
import { CityNow } from './CityNow.tsx';
import { DemoChip } from './DemoChip.tsx';
import { Figures } from './Figures.tsx';
import head from './head.module.css';
import styles from './home.module.css';
import { Needs } from './Needs.tsx';
import { NightRibbon } from './NightRibbon.tsx';
import { SinceLeft } from './SinceLeft.tsx';
import { FiguresSkeleton, RibbonSkeleton } from './Skeletons.tsx';
import { TonightNote } from './TonightNote.tsx';
import { useDuty } from './use-duty.ts';

/** The duty desk in one view: how the night goes, the figures, where it is dark, and what needs somebody. */
export default function HomePage() {
  const { home, curve, changes, map, since } = useDuty();
  const may = usePermission('plan.query');
  const tonight = useTonight(may);
  const data = home.data;
  if (home.error && !data)
    return (
      <Alone>
        <ErrorState error={home.error} onRetry={home.refetch} />
      </Alone>
    );
  if (data?.lamps === 0) return <Begin />;
  return (
    <div className={styles.page}>
      <RefreshBar active={home.isFetching && !home.isPending} />
      <Head home={data}>
        {data && tonight.data ? <TonightNote tonight={tonight.data} /> : null}
        <div className={head.chips}>
          {since.data?.away ? <SinceLeft key={since.data.away.backAt} away={since.data.away} /> : null}
          <TourButton />
          <DemoChip />
        </div>
      </Head>
      {data && curve.data ? (
        <NightRibbon home={data} curve={curve.data} />
      ) : curve.error ? (
        <Card>
          <ErrorState error={curve.error} onRetry={curve.refetch} />
        </Card>
      ) : (
        <RibbonSkeleton />
      )}
      {data ? <Figures home={data} curve={curve.data} /> : <FiguresSkeleton />}
      <div className={styles.lower}>
        <CityNow home={data} map={map} />
        <Needs changes={changes} tonight={tonight.data} />
      </div>
    </div>
  );
}

/** So often it is asked for at most, ms. */
const tonightMs = 5000;
function useTonight(enabled: boolean) {
  const every = useLiveState().state === 'live' ? 300_000 : 60_000;
  const tonight = useCall(getTonight, undefined, { every, enabled });
  const soon = useSoon(() => {
    if (enabled) void tonight.refetch();
  });
  const hear = () => soon(tonightMs);
  useLive('nights', hear);
  useLive('plans', hear);
  useLive('publications', hear);
  return tonight;
}

/** The evening and its switches, then what the lamps follow; the chips at the end. */
function Head({ home, children }: { home: Home | undefined; children: readonly [note: ReactNode, chips: ReactNode] }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const live = useLiveState();
  const [note, chips] = children;
  return (
    <div className={head.head}>
      <h1>
        {home
          ? t('titleOf', { date: dayText(home.night.onAt ?? home.night.from, i18n.language, home.night.timeZone) })
          : t('title')}
      </h1>
      <div className={head.note}>
        {home ? (
          <span>{t('note', { on: time(home.night.onAt, 'minute'), off: time(home.night.offAt, 'minute') })}</span>
        ) : null}
        {home && live.state !== 'live' && live.since !== 0 ? <StaleNote time={time(live.since, 'minute')} /> : null}
        {note}
      </div>
      {chips}
    </div>
  );
}

function Alone({ children }: { children: ReactNode }) {
  const { t } = useTranslation('home');
  return (
    <div className={styles.alone}>
      <div className={head.head}>
        <h1>{t('title')}</h1>
      </div>
      {children}
    </div>
  );
}

/** No lamp yet: what comes first. */
function Begin() {
  const { t } = useTranslation('home');
  const open = useOpen();
  const exists = usePageExists();
  const mayAdd = usePermission('device.add') && exists('asset/single-lamp-controllers') && !inPreview();
  return (
    <Alone>
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
    </Alone>
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
