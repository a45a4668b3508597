import { Button, Dropdown, Tooltip, type MenuProps } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../../parts/index.ts';
import { isOffered, reasonAgainst, type Operator, type UserAction } from '../../../parts/people/users/actions.ts';
import type { User } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

interface Props {
  user: User;
  operator: Operator;
  now: number;
  onAction: (action: UserAction, user: User) => void;
  wide?: boolean;
}

const icons = {
  edit: 'edit',
  delete: 'trash',
  fullScreen: 'document',
  reset: 'key',
  unlock: 'lock',
  disable: 'minus',
  enable: 'check',
  sessions: 'list',
  preview: 'eye',
} as const satisfies Record<UserAction, IconName>;
const inMenu: readonly UserAction[] = ['fullScreen', 'reset', 'unlock', 'enable', 'disable', 'sessions', 'preview'];

/** An action with its reason when it cannot be done: it stays reachable by keyboard, so that the reason can be read. */
function ActionButton({
  action,
  user,
  operator,
  onAction,
  wide = false,
}: Omit<Props, 'now'> & { action: 'edit' | 'delete' }) {
  const { t } = useTranslation('users');
  const reason = reasonAgainst(action, user, operator);
  const button = (
    <Button
      {...(wide ? {} : { size: 'small' as const, type: 'text' as const })}
      danger={wide && action === 'delete'}
      icon={<Icon name={icons[action]} size={14} />}
      className={reason === undefined ? '' : (styles.off ?? '')}
      aria-disabled={reason !== undefined}
      aria-label={t('list.actionOf', { action: t(`action.${action}`), name: user.username })}
      onClick={() => {
        if (reason === undefined) onAction(action, user);
      }}
    >
      {wide ? t(`action.${action}`) : null}
    </Button>
  );
  return <Tooltip title={reason === undefined ? (wide ? null : t(`action.${action}`)) : t(reason)}>{button}</Tooltip>;
}

/**
 * Edit and delete at hand, everything else behind "more", whose button has the focus again when the dialog of an entry
 * closes; `wide` for cards on a phone.
 */
export function RowActions({ user, operator, now, onAction, wide = false }: Props) {
  const { t } = useTranslation('users');
  const more = useRef<HTMLButtonElement>(null);
  const items: NonNullable<MenuProps['items']> = inMenu
    .filter((action) => isOffered(action, user, operator, now))
    .map((action) => {
      const reason = reasonAgainst(action, user, operator);
      return {
        key: action,
        icon: <Icon name={icons[action]} size={14} />,
        disabled: reason !== undefined,
        danger: action === 'disable' && reason === undefined,
        label:
          reason === undefined ? (
            t(`action.${action}`)
          ) : (
            <span className={styles.refused}>
              {t(`action.${action}`)}
              <small>{t(reason)}</small>
            </span>
          ),
      };
    });
  const shown = (['edit', 'delete'] as const).filter((action) => isOffered(action, user, operator, now));
  return (
    <span className={wide ? styles.wideActions : styles.actions}>
      {shown.map((action) => (
        <ActionButton key={action} {...{ action, user, operator, onAction, wide }} />
      ))}
      {items.length > 0 ? (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items,
            onClick: ({ key }) => {
              more.current?.focus();
              onAction(key as UserAction, user);
            },
          }}
        >
          <Button
            ref={more}
            {...(wide ? {} : { size: 'small' as const, type: 'text' as const })}
            aria-label={t('list.more', { name: user.username })}
            aria-haspopup="menu"
            className={styles.more ?? ''}
            icon={<Icon name="more" size={14} />}
          />
        </Dropdown>
      ) : null}
    </span>
  );
}
