import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { taskStates } from '../../../../../contract/light/commands.ts';
import { useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { Page, PageBar } from '../../../parts/index.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { useCommandWords } from '../../../parts/commands/words.ts';
import { controlCommands, controlLanes, filterKeys } from '../../../parts/commands/task-query.ts';
import { TaskList, useTasksOf } from '../../../parts/commands/TaskList.tsx';

/** Every task that operators and plans sent to lamps: how far it got, and the way to each device's outcome. */
export default function CommandTasks() {
  const { t } = useTranslation('commands');
  const open = useOpen();
  const exists = usePageExists();
  const words = useCommandWords();
  const address = useListAddress(filterKeys);
  const list = useTasksOf(address, controlLanes);
  useTabTitle(t('title'));
  const fields = useMemo(() => {
    const option = (itemValue: string, itemName: string) => ({ itemValue, itemName });
    return [
      searchField({
        key: 'state',
        label: t('list.state'),
        type: 'select',
        multiple: true,
        options: taskStates.map((state) => option(state, t(`phase.${state}`))),
      }),
      searchField({
        key: 'command',
        label: t('search.command'),
        type: 'select',
        options: controlCommands.map((command) =>
          option(command, command === 'dim' ? t('search.dim') : words.title(command, {})),
        ),
      }),
      searchField({
        key: 'lane',
        label: t('list.lane'),
        type: 'select',
        multiple: true,
        options: controlLanes.map((lane) => option(lane, t(`lane.${lane}`))),
      }),
      searchField({ key: 'actor', label: t('list.actor'), type: 'text' }),
      searchField({ key: 'days', label: t('search.time'), type: 'datetimerange' }),
    ];
  }, [t, words]);
  return (
    <Page list>
      <PageBar title={t('title')} note={t('note')} />
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <TaskList
        name="command-tasks"
        lanes={controlLanes}
        list={list}
        address={address}
        texts={{
          count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
          failed: t('list.failed'),
          noMatch: t('list.noMatch'),
          empty: t('list.empty'),
          emptyText: t('list.emptyText'),
        }}
        {...(exists('lamp/monitor')
          ? { first: { text: t('list.toMonitor'), onClick: () => open('lamp/monitor') } }
          : {})}
      />
    </Page>
  );
}
