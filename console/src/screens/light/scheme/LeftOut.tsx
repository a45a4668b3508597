import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { listSchemePlaces } from '../../../../../contract/light/schemes.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { Alert, formatNumber } from '../../../parts/index.ts';
import { publishOptions } from '../../../parts/versioned/ItemList.tsx';
import { schemeKind } from '../../../parts/versioned/scheme-kind.ts';
import { inPreview } from '../../../session/index.ts';
import styles from './scheme.module.css';

/** So many places are named; the others are counted. */
const most = 5;

/** Lamps that came to a road or group after it was published, place by place: published to exactly these by one press. */
export function LeftOut({ schemeId, publishable }: { schemeId: number; publishable: boolean }) {
  const { t, i18n } = useTranslation('scheme');
  const open = useOpen();
  const exists = usePageExists();
  const may = usePermission('plan.publish') && exists('lamp/publish') && publishable && !inPreview();
  const answer = useCall(listSchemePlaces, { params: { id: schemeId } }, { background: true, staleTime: 60_000 });
  useLive('publications', useAgain(answer));
  const places = answer.data?.data ?? [];
  if (places.length === 0) return null;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { search, handOver } = publishOptions(schemeKind, schemeId);
  const publish = (deviceIds: readonly number[]): void =>
    open('lamp/publish', { search, handOver: { ...handOver, deviceIds } });
  return (
    <Alert kind="note" title={t('left.title')}>
      <ul className={styles.left}>
        {places.slice(0, most).map(({ kind, id, name, following, others, deviceIds }) => (
          <li key={`${kind} ${id}`}>
            {t('left.place', { name, n: number(others), total: number(others + following) })}
            {may && deviceIds.length > 0 ? (
              <Button size="small" onClick={() => publish(deviceIds)}>
                {t('left.publish', { n: number(deviceIds.length) })}
              </Button>
            ) : null}
          </li>
        ))}
        {places.length > most ? <li>{t('left.more', { n: number(places.length - most) })}</li> : null}
      </ul>
    </Alert>
  );
}
