import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { treeNames, type TreeName } from '../../../../catalogue/topology.ts';
import { getDevicePaths } from '../../../../contract/register/topology.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { useCall } from '../../api/index.ts';
import { usePageAddress } from '../../frame/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { Card, ErrorState, formatNumber, Icon, Skeleton } from '../index.ts';
import { DeviceLink } from '../devices/Head.tsx';
import { AddressLink } from '../devices/AddressLink.tsx';
import styles from '../devices/device.module.css';

type Way = NonNullable<ReplyOf<typeof getDevicePaths>[TreeName]>;
type Step = Way['above'][number];

/**
 * What feeds a device, through what it speaks and where it is mounted: the way down from the top, and what hangs on it.
 */
export function Hangs({ id, trees = treeNames }: { id: number; trees?: readonly TreeName[] }) {
  const { t, i18n } = useTranslation('topology');
  const page = usePageAddress()('asset/topology');
  const { data, error, refetch } = useCall(getDevicePaths, { params: { id } }, { staleTime: 0 });
  const ways = data ? trees.flatMap((tree) => (data[tree] ? [{ tree, way: data[tree] }] : [])) : [];
  if (data && ways.length === 0) return null;
  const at = (tree: TreeName): string =>
    `?${new URLSearchParams({ ...(tree === 'power' ? {} : { tree }), at: `device:${id}` }).toString()}`;
  return (
    <Card title={t('card.title')}>
      {!data ? error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton rows={3} /> : null}
      {ways.length > 0 ? (
        <dl className={styles.hangs}>
          {ways.map(({ tree, way }) => (
            <div key={tree}>
              <dt>{t(`tree.${tree}`)}</dt>
              <dd>
                <span>
                  {way.above.length === 0 ? (
                    <span className={styles.faint}>
                      {t(way.below > 0 ? 'card.top' : tree === 'communication' ? 'card.direct' : 'card.loose')}
                    </span>
                  ) : (
                    <Above steps={way.above} />
                  )}
                </span>
                <span className={styles.below}>
                  {way.below > 0 ? (
                    <span>{t('card.below', { n: formatNumber(way.below, i18n.language, 0) })}</span>
                  ) : null}
                  {page === undefined ? null : <AddressLink address={page + at(tree)}>{t('card.open')}</AddressLink>}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </Card>
  );
}

const Above = ({ steps }: { steps: readonly Step[] }) => (
  <>
    {steps.map((step, index) => (
      <Fragment key={step.key}>
        {index > 0 ? <Icon name="right" size={11} /> : null}
        <One step={step} />
      </Fragment>
    ))}
  </>
);

function One({ step }: { step: Step }) {
  const names = useNames();
  const kind = step.family === null ? names.record(step.kind) : names.family(step.family);
  const text = (
    <span title={[kind, step.name].filter(Boolean).join(' ')}>
      {step.kind === 'road' ? step.name : <span className="code">{step.code}</span>}
    </span>
  );
  return step.kind === 'device' && step.family !== null ? (
    <DeviceLink family={step.family} id={step.id}>
      {text}
    </DeviceLink>
  ) : (
    text
  );
}
