import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../icons/Icon.tsx';
import styles from './list.module.css';

export interface RowAction {
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
  /** Takes something away: one step further away when a row has more than two actions. */
  readonly danger?: boolean;
  readonly onClick: () => void;
}

/** So many buttons stand in a row before what takes something away goes behind "more". */
const AT_HAND = 2;

/** What can be done with a row as icons, each named with the row it belongs to. */
export function RowActions({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  const { t } = useTranslation('lists');
  const further = actions.length > AT_HAND ? actions.filter(({ danger }) => danger === true) : [];
  const shown = actions.filter((action) => !further.includes(action));
  return (
    <span className={styles.actions}>
      {shown.map(({ key, label, icon, onClick }) => (
        <Button
          key={key}
          size="small"
          type="text"
          title={label}
          aria-label={`${label} ${of}`}
          icon={<Icon name={icon} size={14} />}
          onClick={onClick}
        />
      ))}
      {further.length === 0 ? null : (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: further.map(({ key, label, icon }) => ({
              key,
              label,
              danger: true,
              icon: <Icon name={icon} size={14} />,
            })),
            onClick: ({ key, domEvent }) => {
              domEvent.stopPropagation();
              further.find((action) => action.key === key)?.onClick();
            },
          }}
        >
          <Button
            size="small"
            type="text"
            title={t('row.more')}
            aria-label={`${t('row.more')} ${of}`}
            aria-haspopup="menu"
            icon={<Icon name="more" size={14} />}
          />
        </Dropdown>
      )}
    </span>
  );
}
