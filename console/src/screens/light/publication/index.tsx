import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { getPublication, itemStates } from '../../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton, useTime } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { PhaseMark } from '../../../parts/publishing/PhaseMark.tsx';
import { usePublicationWords, type PublicationLampState } from '../../../parts/publishing/words.ts';
import { Actions } from './Actions.tsx';
import { Facts } from './Facts.tsx';
import { Funnel } from './Funnel.tsx';
import { Lamps } from './Lamps.tsx';
import { NextProof } from './NextProof.tsx';
import { Notices } from './Notices.tsx';
import { Roads } from './Roads.tsx';
import styles from './publication.module.css';

export type OpenPublication = ReplyOf<typeof getPublication>;

/** One publication: how far it got, what every lamp proved, and what can be done about it. */
export default function PublicationPage() {
  const { t } = useTranslation('publishing');
  const { id: text = '' } = useParams();
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return id === null ? (
    <Untold>
      <Empty title={t('gone')} />
    </Untold>
  ) : (
    <One key={id} id={id} />
  );
}

/** The page while there is no publication to name it after. */
function Untold({ children }: { children: ReactNode }) {
  const { t } = useTranslation('publishing');
  return (
    <Page>
      <PageBar title={t('one')} />
      <Card>{children}</Card>
    </Page>
  );
}

/** The live line tells sooner. */
const everyMs = 15_000;
const filterKeys = ['state', 'q', 'road', 'canary'] as const;
const isState = (text: string): text is PublicationLampState => (itemStates as readonly string[]).includes(text);

function One({ id }: { id: number }) {
  const { t } = useTranslation('publishing');
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const words = usePublicationWords();
  const address = useListAddress(filterKeys);
  const list = useRef<HTMLDivElement>(null);
  const { q, road, canary, state = '' } = address.filters;
  const states = state.split(',').filter(isState);
  const roadId = road !== undefined && /^[1-9]\d{0,14}$/.test(road) ? Number(road) : undefined;
  const asked = {
    ...(states.length === 0 ? {} : { state: states.join(',') }),
    ...(q === undefined ? {} : { q }),
    ...(roadId === undefined ? {} : { roadId }),
    ...(canary === 'true' ? { canary: true } : {}),
  };
  const answer = useCall(
    getPublication,
    { params: { id }, query: { page: address.page, size: address.size, ...asked } },
    { keepPrevious: true, staleTime: 0, every: everyMs },
  );
  useLive('publications', useAgain(answer));
  const { data, error } = answer;
  const title = data ? words.title(data) : undefined;
  useTabTitle(title === undefined ? undefined : `${title} #${id}`);
  if (error && !data)
    return (
      <Untold>
        {error instanceof ApiError && error.status === 404 ? (
          <Empty
            title={t('gone')}
            {...(exists('lamp/publications')
              ? { action: { text: t('title'), onClick: () => open('lamp/publications') } }
              : {})}
          />
        ) : (
          <ErrorState error={error} onRetry={answer.refetch} />
        )}
      </Untold>
    );
  if (!data || title === undefined)
    return (
      <Untold>
        <Skeleton rows={8} height={480} />
      </Untold>
    );
  return (
    <Page>
      <PageBar
        title={title}
        note={
          <span className={styles.head}>
            <PhaseMark of={data} />
            <span>#{id}</span>
            <span>{words.doing(data)}</span>
            <span className={styles.quiet}>{t('since', { at: time(data.phaseSince, 'dayTime') })}</span>
          </span>
        }
        actions={<Actions of={data} />}
      />
      <Notices of={data} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Card title={t('funnel.title')}>
            <Funnel
              of={data}
              chosen={states}
              onChoose={(next) => address.search({ ...address.filters, state: next.join(',') })}
            />
            <NextProof of={data} />
          </Card>
          <Roads
            id={id}
            roads={data.roads}
            chosen={roadId ?? null}
            onChoose={(next) => address.search({ ...address.filters, road: next === null ? '' : String(next) })}
            onPick={(next, picked) => {
              address.search({ ...address.filters, road: String(next), state: picked });
              list.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
          <div ref={list}>
            <Lamps answer={answer} address={address} asked={asked} />
          </div>
        </div>
        <Card title={t('facts.title')}>
          <Facts of={data} />
        </Card>
      </div>
    </Page>
  );
}
