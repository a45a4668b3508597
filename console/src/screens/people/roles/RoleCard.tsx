import { Button, Dropdown, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { listRoleSummaries } from '../../../../../contract/people/roles.ts';
import type { RoleDetail } from '../../../../../contract/specified/roles.ts';
import { formatNumber, Icon } from '../../../parts/index.ts';
import { iconNameOf } from '../../../parts/icons/Icon.tsx';
import { inPreview } from '../../../session/index.ts';
import styles from './roles.module.css';

interface Props {
  role: RoleDetail;
  /** undefined: not known yet. */
  summary: ReplyOf<typeof listRoleSummaries>['data'][number] | undefined;
  may: { edit: boolean; del: boolean; add: boolean };
  onOpen: (role: RoleDetail) => void;
  onDelete: (role: RoleDetail) => void;
  onCopy: (role: RoleDetail) => void;
  onPowers: (role: RoleDetail) => void;
}

/** One role: icon, name, creator; a click opens it, the cross deletes it (specified 4.1). */
export function RoleCard({ role, summary, may, onOpen, onDelete, onCopy, onPowers }: Props) {
  const { t, i18n } = useTranslation('roles');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const items = [
    { key: 'powers', label: t('card.powers'), onClick: () => onPowers(role) },
    ...(may.add ? [{ key: 'copy', label: t('card.copy'), disabled: inPreview(), onClick: () => onCopy(role) }] : []),
  ];
  return (
    <li className={styles.card}>
      <button
        type="button"
        className={styles.open}
        onClick={() => (may.edit ? onOpen(role) : onPowers(role))}
        title={t(may.edit ? 'card.open' : 'card.show', { name: role.name })}
      >
        <span className={styles.icon}>
          <Icon name={iconNameOf(role.icon, 'key')} size={22} />
        </span>
        <span className={styles.words}>
          <b>{role.name}</b>
          <span className={styles.creator}>{t('card.creator', { name: role.creatorName })}</span>
          <span className={styles.extent}>{role.roleExtent}</span>
          <span className={styles.summary}>
            {summary === undefined
              ? '\u00a0'
              : [
                  t('card.users', { n: number(summary.users) }),
                  t('card.pages', { n: number(summary.pages) }),
                  t('card.operations', { n: number(summary.operations) }),
                ].join(' · ')}
          </span>
        </span>
      </button>
      <div className={styles.corner}>
        <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
          <Button
            type="text"
            size="small"
            className={styles.more ?? ''}
            icon={<Icon name="more" size={15} />}
            aria-label={t('card.more', { name: role.name })}
          />
        </Dropdown>
        {may.del ? (
          <Tooltip title={role.manageable ? undefined : t('reason.rank')}>
            <Button
              type="text"
              size="small"
              icon={<Icon name="close" size={14} />}
              aria-label={t('card.delete', { name: role.name })}
              aria-disabled={!role.manageable}
              className={role.manageable ? '' : (styles.off ?? '')}
              onClick={() => {
                if (role.manageable) onDelete(role);
              }}
            />
          </Tooltip>
        ) : null}
      </div>
    </li>
  );
}
