import { Dropdown, Popover, type MenuProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons/Icon.tsx';
import { NameForm } from './SaveView.tsx';
import type { Views } from './use-views.ts';
import type { View } from './view.ts';
import styles from './views.module.css';

/** ⋯ of a view: what its reader may do with it. `changed`: the list shows something else than the view by now. */
export function ViewMenu({ views, view, changed }: { views: Views; view: View; changed: boolean }) {
  const { t } = useTranslation('lists');
  const [renaming, setRenaming] = useState(false);
  const own = views.all.filter((one) => one.own);
  const at = own.findIndex(({ id }) => id === view.id);
  const items: NonNullable<MenuProps['items']> = [
    ...(view.own && changed
      ? [
          {
            key: 'keep',
            icon: <Icon name="check" size={14} />,
            label: t('views.keepHere'),
            onClick: () => views.keep(view),
          },
        ]
      : []),
    {
      key: 'start',
      icon: <Icon name="flag" size={14} />,
      label: t(view.start ? 'views.start.end' : 'views.start.make'),
      onClick: () => views.begin(view, !view.start),
    },
    ...(view.own
      ? [
          {
            key: 'rename',
            icon: <Icon name="edit" size={14} />,
            label: t('views.rename'),
            onClick: () => setRenaming(true),
          },
          {
            key: 'share',
            icon: <Icon name="team" size={14} />,
            label: t(view.shared ? 'views.share.end' : 'views.share.make'),
            onClick: () => views.share(view, !view.shared),
          },
          {
            key: 'left',
            icon: <Icon name="left" size={14} />,
            label: t('views.left'),
            disabled: at <= 0,
            onClick: () => views.move(view, -1),
          },
          {
            key: 'right',
            icon: <Icon name="right" size={14} />,
            label: t('views.right'),
            disabled: at === own.length - 1,
            onClick: () => views.move(view, 1),
          },
        ]
      : []),
    ...(view.deletable
      ? [
          {
            key: 'remove',
            danger: true,
            icon: <Icon name="trash" size={14} />,
            label: t('views.remove'),
            onClick: () => views.remove(view),
          },
        ]
      : []),
  ];
  return (
    <Popover
      getPopupContainer={(node) => node.closest<HTMLElement>('[data-tab] > div') ?? document.body}
      trigger={[]}
      placement="bottomLeft"
      open={renaming}
      onOpenChange={setRenaming}
      destroyOnHidden
      title={t('views.rename')}
      content={
        <NameForm
          name={view.name}
          submit={t('views.save')}
          onSave={(name) => views.rename(view, name)}
          onCancel={() => setRenaming(false)}
        />
      }
    >
      <span>
        <Dropdown trigger={['click']} placement="bottomLeft" menu={{ items }}>
          <button
            type="button"
            className={styles.more}
            aria-label={t('views.more', { name: view.name })}
            title={t('views.more', { name: view.name })}
            aria-haspopup="menu"
          >
            <Icon name="more" size={14} />
          </button>
        </Dropdown>
      </span>
    </Popover>
  );
}
