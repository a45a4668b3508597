import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../contract/people/me.ts';
import { useCall } from '../../api/index.ts';
import { StateShape, useTime } from '../../parts/index.ts';
import { lastResponseAt, local } from '../../session/index.ts';
import { setSiteZone } from '../settings/settings.ts';
import styles from './Banners.module.css';

function onNetwork(listen: () => void): () => void {
  window.addEventListener('online', listen);
  window.addEventListener('offline', listen);
  return () => {
    window.removeEventListener('online', listen);
    window.removeEventListener('offline', listen);
  };
}

/** Without a network: says as of when the data stand. */
export function OfflineBanner() {
  const { t } = useTranslation('shell');
  const time = useTime();
  const online = useSyncExternalStore(onNetwork, () => navigator.onLine);
  if (online) return null;
  return (
    <div className={`${styles.banner} ${styles.warning}`} role="alert">
      <StateShape state="offline" />
      <span>{t('offline.banner', { time: time(lastResponseAt() ?? null, 'time') })}</span>
    </div>
  );
}

const known = ['demo', 'demoInNetwork', 'captchaOff'] as const;
/** The warnings that this browser showed last: their room is kept until the answer is there, so that nothing moves. */
const lastShown = 'siteWarnings';

/**
 * What administrators are warned of (specified 1.18): a demo, a switched-off captcha; the server decides who sees it.
 * The same answer tells the site's time zone.
 */
export function SiteWarnings() {
  const { t } = useTranslation('shell');
  const me = useCall(getMe, {}, { staleTime: 300_000 });
  const zone = me.data?.timeZone;
  useEffect(() => setSiteZone(zone), [zone]);
  const told = me.data?.warnings;
  useEffect(() => {
    if (told) local.set(lastShown, told.join());
  }, [told]);
  const isAwaited = me.isPending;
  const warnings = told ?? (isAwaited ? (local.get(lastShown) ?? '').split(',').filter(Boolean) : []);
  if (warnings.length === 0) return null;
  return (
    <section aria-label={t('warning.label')} style={isAwaited ? { visibility: 'hidden' } : undefined}>
      <ul className={styles.warnings}>
        {warnings.map((name) => {
          const key = known.find((one) => one === name);
          const text = key ? t(`warning.${key}`) : t('warning.other', { name });
          return (
            <li key={name} title={text}>
              <StateShape state={name === 'demo' ? 'info' : 'alarm'} size={10} />
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
