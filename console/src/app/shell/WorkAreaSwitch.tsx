import { Select } from 'antd';
import { useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../contract/people/me.ts';
import { getCurrentUser, getMenus, getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { getLoginAppearance } from '../../../../contract/specified/sign-in.ts';
import { callKey, LiveContext, useCall } from '../../api/index.ts';
import { Icon, toast } from '../../parts/index.ts';
import { storedWorkId, storeWorkId } from '../../session/index.ts';
import { guardAllUnsaved } from '../../frame/tabs/unsaved.ts';
import { useTabStore } from '../../frame/tabs/tab-context.ts';
import styles from './WorkAreaSwitch.module.css';

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

  return (
    <span className={styles.switch} title={areas.isError ? t('workArea.failed') : undefined}>
      <Icon name="cube" size={15} />
      <Select
        variant="borderless"
        size="small"
        aria-label={t('workArea.label')}
        popupMatchSelectWidth={false}
        showSearch={{ optionFilterProp: 'label' }}
        value={current ?? ALL}
        status={areas.isError ? 'error' : ''}
        loading={areas.isPending}
        onChange={(value: string) => guardAllUnsaved(tabs, () => enter(value === ALL ? undefined : value))}
        options={[
          { value: ALL, label: t('workArea.all') },
          ...(offered ?? []).map((area) => ({ value: String(area.value), label: area.label })),
        ]}
      />
    </span>
  );
}
