import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { getTonight } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { useCall } from '../../../api/index.ts';
import { usePageExists, usePermission } from '../../../frame/index.ts';
import { ErrorState, formatNumber, StateShape, type MarkState } from '../../../parts/index.ts';
import { useWaiting } from '../../../parts/approvals/use-waiting.ts';
import { failedOf, useNightWords } from '../../../parts/nights/words.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import type { getHomeChanges } from '../../../../../contract/light/home.ts';
import type { HomeLine } from './calls.ts';
import { Line } from './Line.tsx';
import { LinesSkeleton } from './Skeletons.tsx';
import styles from './needs.module.css';

type Tonight = ReplyOf<typeof getTonight>;

/** What somebody has to look at, the worst first; what is over already is folded away. */
export function Needs({
  changes,
  tonight,
}: {
  changes: ReturnType<typeof useCall<typeof getHomeChanges>>;
  tonight: Tonight | undefined;
}) {
  const { t, i18n } = useTranslation('home');
  const data = changes.data;
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const severe = data?.open.data.filter(({ level }) => level === 1) ?? [];
  const others = data?.open.data.filter(({ level }) => level !== 1) ?? [];
  const more = data ? data.open.lines - data.open.data.length : 0;
  return (
    <section className={styles.card} aria-labelledby="home-needs">
      <header>
        <h2 id="home-needs">{t('needs.title')}</h2>
        {data && data.open.devices > 0 ? (
          <span>{t('needs.count', { n: number(data.open.devices), lines: number(data.open.lines) })}</span>
        ) : null}
      </header>
      <div className={styles.scroll}>
        {changes.error && !data ? <ErrorState error={changes.error} onRetry={changes.refetch} /> : null}
        {changes.isPending ? <LinesSkeleton /> : null}
        {data ? (
          <>
            <ul className={styles.lines}>
              <Lines of={severe} />
              <Approvals />
              {tonight ? <Halted tonight={tonight} /> : null}
              <Lines of={others} />
              {tonight ? <OfTheNight tonight={tonight} /> : null}
              {more > 0 ? (
                <li>
                  <StateShape state="info" />
                  <div>
                    <PageLink to="lamp/monitor" options={{ search: '?view=list&states=alarm,offline' }}>
                      {t('needs.more', { n: number(more) })}
                    </PageLink>
                  </div>
                </li>
              ) : null}
            </ul>
            {data.open.lines === 0 ? <p className={styles.quiet}>{t('needs.none')}</p> : null}
          </>
        ) : null}
        {data && data.ended.lines > 0 ? (
          <details className={styles.ended}>
            <summary>{t('needs.ended', { n: number(data.ended.devices), lines: number(data.ended.lines) })}</summary>
            <ul className={styles.lines}>
              <Lines of={data.ended.data} />
            </ul>
          </details>
        ) : null}
      </div>
    </section>
  );
}

const Lines = ({ of }: { of: readonly HomeLine[] }) =>
  of.map((line) => (
    <Line key={`${line.kind} ${line.fault} ${line.reason} ${line.family} ${line.beganAt} ${line.count}`} line={line} />
  ));

function Row({ mark, children, note }: { mark: MarkState; children: ReactNode; note?: ReactNode }) {
  return (
    <li>
      <StateShape state={mark} />
      <div>
        {children}
        {note ? <small>{note}</small> : null}
      </div>
    </li>
  );
}

function Approvals() {
  const may = usePermission('lamp.approve');
  const exists = usePageExists();
  return may && exists('lamp/approvals') ? <Waiting /> : null;
}

/** What waits for this account as the second person. */
function Waiting() {
  const { t } = useTranslation('home');
  const { commands, publications, exceptions } = useWaiting();
  const n = [commands, publications, exceptions]
    .flatMap(({ data }): readonly { readonly approval: { readonly hindrance: unknown } | null }[] => data?.data ?? [])
    .filter(({ approval }) => approval?.hindrance === null).length;
  return n === 0 ? null : (
    <Row mark="info" note={t('needs.approvalsNote')}>
      <PageLink to="lamp/approvals">{t('needs.approvals', { n })}</PageLink>
    </Row>
  );
}

function Halted({ tonight: { publications } }: { tonight: Tonight }) {
  const { t } = useTranslation('home');
  return publications.halted === 0 ? null : (
    <Row mark="degraded" note={t('needs.haltedNote')}>
      <PageLink to="lamp/publications" options={{ search: '?state=halted' }}>
        {t('needs.halted', { n: publications.halted })}
      </PageLink>
    </Row>
  );
}

/** What the rehearsal lists, lamps off their plan, and what last night left; nothing where all is well. */
function OfTheNight({ tonight }: { tonight: Tonight }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const { rehearsal, day, notOnPlan, lastNight } = tonight;
  const [publication] = notOnPlan.publications;
  return (
    <>
      {rehearsal && day !== null && words.isListed(rehearsal) && rehearsal.dark > 0 ? (
        <Row mark="degraded" note={t('rehearsal')}>
          <PageLink to="lamp/night" options={{ params: { day }, search: '?part=rehearsal' }}>
            {words.dark(rehearsal)}
          </PageLink>
        </Row>
      ) : null}
      {notOnPlan.lamps > 0 ? (
        <Row
          mark="partial"
          note={
            publication ? (
              <>
                {t('tonight.publications')}{' '}
                <PageLink
                  to="lamp/publication"
                  options={{ params: { id: publication.id } }}
                >{`#${publication.id}`}</PageLink>
              </>
            ) : null
          }
        >
          <PageLink to="lamp/monitor" options={{ search: '?view=list&plan=astray' }}>
            <b>{t('lamps.count', { n: words.number(notOnPlan.lamps) })}</b> {t('tonight.notOnPlan')}
          </PageLink>
        </Row>
      ) : null}
      {lastNight && failedOf(lastNight) > 0 ? (
        <Row mark="info" note={words.ran(lastNight)}>
          <PageLink to="lamp/night" options={{ params: { day: lastNight.day } }}>
            {t('tonight.last')} {t('tonight.failed', { n: words.number(failedOf(lastNight)) })}
          </PageLink>
        </Row>
      ) : null}
    </>
  );
}
