import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { taskStates } from '../../../../../contract/light/commands.ts';
import { usePermission, useTabTitle } from '../../../frame/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { Icon, Page, PageBar } from '../../../parts/index.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { inPreview } from '../../../session/index.ts';
import { TaskList, useTasksOf } from '../../../parts/commands/TaskList.tsx';
import { PollDialog } from './PollDialog.tsx';

const filterKeys = ['state', 'actor', 'days'] as const;
const lanes = ['read'] as const;
const offered = taskStates.filter((state) => state === 'running' || state === 'finished' || state === 'cancelled');

/** Reads on demand (巡测): those there were, live, and a new one of a road, a group, a controller or an area. */
export default function Polls() {
  const { t } = useTranslation('commands');
  const address = useListAddress(filterKeys);
  const list = useTasksOf(address, lanes);
  const may = usePermission('lamp.control') && !inPreview();
  const [asking, setAsking] = useState(false);
  useTabTitle(t('polls.title'));
  const ask = (): void => setAsking(true);
  const fields = useMemo(
    () => [
      searchField({
        key: 'state',
        label: t('list.state'),
        type: 'select',
        multiple: true,
        options: offered.map((state) => ({ itemValue: state, itemName: t(`phase.${state}`) })),
      }),
      searchField({ key: 'actor', label: t('polls.actor'), type: 'text' }),
      searchField({ key: 'days', label: t('polls.time'), type: 'datetimerange' }),
    ],
    [t],
  );
  return (
    <Page list>
      <PageBar
        title={t('polls.title')}
        note={t('polls.note')}
        actions={
          may ? (
            <Button type="primary" icon={<Icon name="poll" size={14} />} onClick={ask}>
              {t('polls.new')}
            </Button>
          ) : null
        }
      />
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <TaskList
        name="polls"
        lanes={lanes}
        oneLane
        heads={{ progress: t('polls.results'), actor: t('polls.actor'), time: t('polls.began') }}
        list={list}
        address={address}
        {...(may ? { first: { text: t('polls.new'), onClick: ask } } : {})}
        texts={{
          count: (n, about) => t(about ? 'polls.countAbout' : 'polls.count', { n }),
          failed: t('polls.failed'),
          noMatch: t('polls.noMatch'),
          empty: t('polls.empty'),
          emptyText: t('polls.emptyText'),
        }}
      />
      {asking ? <PollDialog onClose={() => setAsking(false)} /> : null}
    </Page>
  );
}
