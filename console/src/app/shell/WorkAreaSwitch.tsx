import { useQueryClient } from '@tanstack/react-query';
import { lazy, useContext, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../contract/people/me.ts';
import { getCurrentUser, getMenus, getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { getLoginAppearance } from '../../../../contract/specified/sign-in.ts';
import { callKey, LiveContext, useCall } from '../../api/index.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { Icon, toast } from '../../parts/index.ts';
import { storedWorkId, storeWorkId } from '../../session/index.ts';
import { guardAllUnsaved } from '../../frame/tabs/unsaved.ts';
import { useTabStore } from '../../frame/tabs/tab-context.ts';
import { POPUPS } from '../settings/LookProvider.tsx';
import styles from './WorkAreaSwitch.module.css';

const loadSelect = () => loadChunk('select', () => import('../../fields/antd/Select.ts'));
const Select = lazy(loadSelect);

const ALL = 'all';
/** Answers that no work area changes. */
const unaffected = new Set<unknown>(
  [getMenus, getMe, getCurrentUser, getWorkAreaOptions, getLoginAppearance].map((route) => route.path),
);

/** The work area the operator works in, or all of them; a change asks everything anew. */
export function WorkAreaSwitch() {
  const { t } = useTranslation('shell');
  const client = useQueryClient();
  const live = useContext(LiveContext);
  const tabs = useTabStore();
  const areas = useCall(getWorkAreaOptions, {});
  const [current, setCurrent] = useState(storedWorkId);

  const enter = (workId: string | undefined): void => {
    storeWorkId(workId);
    setCurrent(workId);
    live?.restart();
    void client.resetQueries({ predicate: (query) => !unaffected.has(query.queryKey[0]) });
    // The area's time zone; without emptying it first, so that the header's warnings stay.
    void client.invalidateQueries({ queryKey: callKey(getMe) });
  };
  const offered = areas.data?.data;
  const gone =
    current !== undefined && offered !== undefined && !offered.some((area) => String(area.value) === current);
  const drop = useEffectEvent(() => {
    enter(undefined);
    toast.warning(t('workArea.dropped'), 8_000);
  });
  useEffect(() => {
    if (gone) drop();
  }, [gone]);

  const options = [
    { value: ALL, label: t('workArea.all') },
    ...(offered ?? []).map((area) => ({ value: String(area.value), label: area.label })),
  ];
  const value = current ?? ALL;
  const shown = options.find((one) => one.value === value)?.label ?? value;
  // Most sessions never change it: the list's code comes when it is pointed at, and the list when it is pressed. The
  // button stays the same one until then.
  const [wanted, setWanted] = useState(false);
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-controls={POPUPS}
      aria-label={t('workArea.label')}
      aria-invalid={areas.isError || undefined}
      className={styles.closed}
      onPointerEnter={() => void loadSelect().catch(() => undefined)}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => {
        if (key === 'ArrowDown' || key === 'ArrowUp') setWanted(true);
      }}
    >
      <span>{shown}</span>
      <Icon name="down" size={12} />
    </button>
  );
  return (
    <span className={styles.switch} title={areas.isError ? t('workArea.failed') : undefined}>
      <Icon name="cube" size={15} />
      <PartHost fallback={closed} onFailed={() => setWanted(false)}>
        {wanted ? (
          <Select
            variant="borderless"
            size="small"
            aria-label={t('workArea.label')}
            popupMatchSelectWidth={false}
            showSearch={{ optionFilterProp: 'label' }}
            autoFocus
            defaultOpen
            value={value}
            status={areas.isError ? 'error' : ''}
            loading={areas.isPending}
            onChange={(next) => guardAllUnsaved(tabs, () => enter(next === ALL ? undefined : String(next)))}
            options={options}
          />
        ) : (
          closed
        )}
      </PartHost>
    </span>
  );
}
