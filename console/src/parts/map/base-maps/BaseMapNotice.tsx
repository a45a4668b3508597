import { useTranslation } from 'react-i18next';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { Icon } from '../../icons/Icon.tsx';
import styles from './base-map.module.css';
import { useBaseMapName, type BaseMapChoice } from './use-base-map.ts';

/**
 * `small`: on a map that is no larger than the notice itself; `passive`: where another base map is no way out. Whose
 * map it is; and, when its tiles do not come, which one is silent and what was done about it.
 */
export function BaseMapNotice({
  base: { all, chosen, choose, failure },
  right = 0,
  size = 'whole',
}: {
  base: BaseMapChoice;
  right?: number;
  size?: 'whole' | 'small' | 'passive';
}) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const mayTest = usePermission('site.maps');
  const open = useOpen();
  if (!chosen) return null;
  const plain = all.find(({ kind }) => kind === 'ground') ?? all.find(({ kind }) => kind === 'grid');
  return (
    <>
      {chosen.attribution ? (
        <small className={styles.attribution} style={{ right: right + 72 }}>
          {chosen.attribution}
        </small>
      ) : null}
      {failure === null ? null : (
        <div className={styles.notice} role="status" style={{ right: right + 72 }}>
          <Icon name="warning" size={14} />
          <span>
            <b>{t('failing', { name: nameOf(chosen) })}</b>{' '}
            {size !== 'small' && isKnown(failure) ? t(`problem.${failure}`) : ''}{' '}
            {size === 'whole' ? t('failing.grid') : ''}
          </span>
          {size !== 'passive' && plain && plain.id !== chosen.id ? (
            <button type="button" onClick={() => choose(plain.id)}>
              {t('failing.switch', { name: nameOf(plain) })}
            </button>
          ) : null}
          {size === 'whole' && mayTest ? (
            <button type="button" onClick={() => open('/maptest')}>
              {t('failing.test')}
            </button>
          ) : null}
        </div>
      )}
    </>
  );
}

/** Reasons that have words (contract: mapProblems). */
export const knownProblems = [
  'keyRefused',
  'keyMissing',
  'notFound',
  'tooMany',
  'serverError',
  'status',
  'notPicture',
  'tooLarge',
  'timeout',
  'dns',
  'refused',
  'tls',
  'network',
  'private',
  'redirects',
  'archive',
  'zoom',
] as const;
export const isKnown = (problem: string): problem is (typeof knownProblems)[number] =>
  knownProblems.some((one) => one === problem);
