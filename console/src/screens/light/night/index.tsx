import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { exportNight } from '../../../../../contract/desk/exports.ts';
import { getNight } from '../../../../../contract/light/nights.ts';
import { ApiError, useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Icon, Page, PageBar, Skeleton, useTime } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { useNightWords } from '../../../parts/nights/words.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { Areas } from './Areas.tsx';
import { Figures } from './Figures.tsx';
import { askedOf, filterKeys } from './asked.ts';
import { Lamps } from './Lamps.tsx';
import { PrintSheet } from './PrintSheet.tsx';
import styles from './night.module.css';

/** The live line tells sooner. */
const everyMs = 60_000;

/** One night: the rehearsal before dusk, the report of the morning after, and every lamp with why. */
export default function NightPage() {
  const { day = '' } = useParams();
  return <One key={day} day={day} />;
}

function One({ day }: { day: string }) {
  const { t } = useTranslation('nights');
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const words = useNightWords();
  const address = useListAddress(filterKeys);
  const night = useCall(getNight, { params: { day } }, { staleTime: 0, every: everyMs });
  useLive('nights', useAgain(night));
  const [printing, setPrinting] = useState(false);
  const { data, error } = night;
  const title = /^\d{4}-\d\d-\d\d$/.test(day) && data ? words.day(day) : undefined;
  useTabTitle(title);
  if (!data || title === undefined)
    return (
      <Page>
        <PageBar title={t('one')} />
        <Card>
          {error instanceof ApiError && (error.status === 404 || error.status === 400) ? (
            <Empty
              title={t('gone')}
              {...(exists('lamp/nights') ? { action: { text: t('title'), onClick: () => open('lamp/nights') } } : {})}
            />
          ) : error ? (
            <ErrorState error={error} onRetry={night.refetch} />
          ) : (
            <Skeleton rows={8} height={480} />
          )}
        </Card>
      </Page>
    );
  const isListed = words.isListed(data.rehearsal);
  // Before the morning there is one list: of those that will probably not light.
  const { part = data.report === 'planned' && isListed ? 'rehearsal' : 'report' } = address.filters;
  const isRehearsal = part === 'rehearsal';
  const asked = askedOf({ ...address.filters, part });
  return (
    <Page>
      <PageBar
        title={title}
        note={
          data.report === 'done'
            ? `${words.ran(data.counts)} · ${t('report.at', { at: time(data.reportedAt, 'dayTime') })}`
            : t(`report.${data.report}`)
        }
        actions={
          <span className={styles.tools}>
            <ExportButton call={exportNight} body={{ day, ...asked }} text={t('export')} />
            <Button icon={<Icon name="document" size={14} />} loading={printing} onClick={() => setPrinting(true)}>
              {t('print')}
            </Button>
          </span>
        }
      />
      <Figures night={data} address={address} isRehearsal={isRehearsal} />
      <Areas night={data} address={address} />
      <div className={styles.screen}>
        {(isRehearsal ? isListed : data.report !== 'planned') ? (
          <Lamps night={data} address={address} asked={asked} />
        ) : (
          <Card>
            <Empty title={t('lamps.later')} text={isRehearsal ? words.phase(data) : t(`report.${data.report}`)} />
          </Card>
        )}
      </div>
      {printing ? <PrintSheet night={data} asked={asked} onDone={() => setPrinting(false)} /> : null}
    </Page>
  );
}
