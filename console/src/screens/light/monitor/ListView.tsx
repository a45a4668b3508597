import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon, Page, PageBar } from '../../../parts/index.ts';
import { LinkedConditions } from './FilterPanel.tsx';
import { LampList } from './LampList.tsx';
import { ListFilters } from './ListFilters.tsx';
import { LiveNote } from './LiveNote.tsx';
import styles from './monitor.module.css';
import type { MonitorParts } from './shared.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

/** The list with its conditions above: the map's equivalent for keyboard, screen reader and machines without WebGL. */
export function ListView(monitor: MonitorParts) {
  const { view, put, setFilters, canControl, hasMap, tryMap, onScope } = monitor;
  const { t } = useTranslation('lamp');
  const { t: words } = useTranslation('parts');
  return (
    <div className={styles.listPane}>
      <Page list>
        <PageBar
          title={t('title')}
          actions={
            <>
              <LiveNote />
              {canControl ? (
                <Button icon={<Icon name="bolt" size={14} />} onClick={onScope}>
                  {t('scope.open')}
                </Button>
              ) : null}
              <ViewSwitch view={view} hasMap={hasMap} put={put} />
            </>
          }
        />
        {hasMap ? null : (
          <p className={styles.noMap} role="status">
            {t('view.noWebGl')}{' '}
            <Button size="small" onClick={tryMap}>
              {words('error.retry')}
            </Button>
          </p>
        )}
        <ListFilters filters={view.filters} onChange={setFilters} />
        <LampList
          {...monitor}
          chips={<LinkedConditions filters={view.filters} onChange={setFilters} faults={false} />}
        />
      </Page>
    </div>
  );
}
