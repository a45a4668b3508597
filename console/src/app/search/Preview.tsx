import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countLamps } from '../../../../contract/light/lamps.ts';
import { useCall } from '../../api/index.ts';
import { usePermission } from '../../frame/menu/menu-context.ts';
import { formatNumber, Icon } from '../../parts/index.ts';
import type { About, Hit } from './hits.ts';
import styles from './CommandPalette.module.css';

/** Who walks through the list with the keys asks for nothing on the way (ms). */
const RESTS_MS = 200;

/** What the chosen line is and what Enter does with it; on wide screens beside the list. The list says the same to screen readers. */
export function Preview({ hit }: { hit: Hit }) {
  const { t } = useTranslation('search');
  const mayCount = usePermission('lamp.monitor');
  return (
    <aside className={styles.preview} aria-hidden>
      <Icon name={hit.icon} size={28} />
      {hit.code === null ? null : <b className="code">{hit.code}</b>}
      <strong>{hit.title}</strong>
      {hit.place === '' ? null : <span>{hit.place}</span>}
      {hit.about && mayCount ? <Lamps key={hit.key} about={hit.about} /> : null}
      <small>{t('act' in hit.go ? (hit.go.asks ? 'enter.ask' : 'enter.do') : 'enter.open')}</small>
    </aside>
  );
}

function Lamps({ about: { query } }: { about: About }) {
  const { t, i18n } = useTranslation('search');
  const [rests, setRests] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), RESTS_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useCall(countLamps, { query }, { enabled: rests, background: true });
  if (!data) return <dl />;
  const { total, states } = data;
  const rows = [
    ['total', total],
    ['lit', (states.on ?? 0) + (states.dimmed ?? 0)],
    ['off.now', states.off ?? 0],
    ['offline', states.offline ?? 0],
  ] as const;
  return (
    <dl>
      {rows.map(([key, n]) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>{formatNumber(n, i18n.language, 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
