import { Button } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { familyPageNames, familyPages } from '../../../../../contract/family-pages.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, ErrorState, Icon, iconNameOf, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { useWebGl } from '../../../parts/map/webgl.ts';
import styles from './map.module.css';
import { useDeviceMap } from './use-device-map.ts';
import { useView } from './view-state.ts';

const loadPane = () => loadChunk('map', () => import('./MapPane.tsx'));
const MapPane = lazy(loadPane);

/** Devices of every family on one map: layers, search, selection, and where they stand. */
export default function DeviceMap() {
  const [can, again] = useWebGl();
  return can ? <WithMap /> : <WithoutMap onAgain={again} />;
}

function WithMap() {
  const { t } = useTranslation('device-map');
  const shown = useView();
  const { asked, field, ground } = useDeviceMap();
  // The map's own code comes while the devices are on their way; should it not come, the page asks for it again and
  // says so.
  useEffect(() => {
    loadPane().catch(() => undefined);
  }, []);
  return (
    <div className={styles.screen}>
      <h1 className={styles.hiddenTitle}>{t('title')}</h1>
      {asked.error && !field ? (
        <div className={styles.wait}>
          <ErrorState error={asked.error} onRetry={asked.refetch} />
        </div>
      ) : null}
      {!asked.error && (!field || !ground) ? (
        <div className={styles.wait}>
          <Skeleton rows={8} />
        </div>
      ) : null}
      {field && ground ? (
        <Suspense
          fallback={
            <div className={styles.wait}>
              <Skeleton rows={8} />
            </div>
          }
        >
          <MapPane {...shown} field={field} ground={ground} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Where the browser cannot draw it: every family's list has the same devices. */
function WithoutMap({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('device-map');
  const { t: words } = useTranslation('parts');
  const exists = usePageExists();
  const names = useNames();
  const open = useOpen();
  return (
    <Page>
      <PageBar title={t('title')} />
      <Card>
        <p className={styles.note}>
          {t('noWebGl')}{' '}
          <Button size="small" icon={<Icon name="retry" size={13} />} onClick={onAgain}>
            {words('error.retry')}
          </Button>
        </p>
        <ul className={styles.lists}>
          {familyPageNames.filter(exists).map((name) => (
            <li key={name}>
              <button type="button" onClick={() => open(name)}>
                <Icon name={iconNameOf(familyPages[name].icon)} size={16} />
                {names.family(familyPages[name].family)}
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
