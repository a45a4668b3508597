import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { listBatches, listNewcomers } from '../../../../../contract/wires/provisioning.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useTabTitle } from '../../../frame/index.ts';
import { formatNumber, Page, PageBar } from '../../../parts/index.ts';
import { BatchList } from './BatchList.tsx';
import { NewcomerList } from './NewcomerList.tsx';

const views = ['newcomers', 'batches'] as const;

/** Devices that came with the secret of a batch and wait to be claimed; and the batches. */
export default function Inbox() {
  const { t, i18n } = useTranslation('provisioning');
  const [params, setParams] = useSearchParams();
  const view = params.get('view') === 'batches' ? 'batches' : 'newcomers';
  useTabTitle(t('inbox.title'));
  const batches = useCall(listBatches, undefined, { staleTime: 0, every: 30_000 });
  const waiting = useCall(listNewcomers, { query: { state: 'waiting', size: 1 } }, { staleTime: 0, every: 30_000 });
  const [batchesAgain, waitingAgain] = [useAgain(batches), useAgain(waiting)];
  useLive('inbox', () => {
    batchesAgain();
    waitingAgain();
  });
  const count = { newcomers: waiting.data?.recordsTotal, batches: batches.data?.recordsTotal };
  const word = (name: (typeof views)[number]): string =>
    `${t(`inbox.${name}`)}${count[name] === undefined ? '' : ` ${formatNumber(count[name], i18n.language, 0)}`}`;
  return (
    <Page list>
      <PageBar
        title={t('inbox.title')}
        note={t('inbox.note')}
        actions={
          <Segmented<(typeof views)[number]>
            value={view}
            options={views.map((name) => ({ value: name, label: word(name) }))}
            onChange={(next) => setParams(next === 'batches' ? { view: next } : {})}
            aria-label={t('inbox.title')}
          />
        }
      />
      {view === 'batches' ? <BatchList list={batches} /> : <NewcomerList batches={batches.data?.data ?? []} />}
    </Page>
  );
}
