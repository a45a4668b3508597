import type { MenuProps } from 'antd';
import { lazy, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import { Icon } from '../../parts/index.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';
import { closable, type PageTab } from '../../frame/tabs/tab-store.ts';
import { useCloseTabs, useTabStore } from '../../frame/tabs/tab-context.ts';
import { guardUnsaved } from '../../frame/tabs/unsaved.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { loadDropdown, MenuOf } from '../shell/MenuOf.tsx';
import styles from './TabStrip.module.css';

const Dropdown = lazy(async () => ({ default: await loadDropdown() }));

/** What can be done with a tab: for the menu at the strip's end and for the right mouse button. */
function useTabActions(): (tab: PageTab | undefined) => MenuProps {
  const { t } = useTranslation('shell');
  const store = useTabStore();
  const close = useCloseTabs();
  return (tab) => {
    const { tabs } = store.getState();
    const index = tabs.findIndex((one) => one.key === tab?.key);
    const fixed = tab === undefined || tab.name === 'home';
    // The strip as it stands: `before` and `after` this tab, without what stays.
    const beside = (from: number, to: number) =>
      tabs
        .slice(from, to)
        .filter(closable)
        .map((one) => one.key);
    const [before, after] = tab === undefined ? [[], []] : [beside(0, index), beside(index + 1, tabs.length)];
    const others = tabs.filter((one) => one.key !== tab?.key && closable(one)).map((one) => one.key);
    const actions: Record<string, () => void> = {
      refresh: () => tab && guardUnsaved(store, [tab.key], () => store.refresh(tab.key)),
      pin: () => tab && store.pin(tab.key, !tab.pinned),
      left: () => tab && store.move(tab.key, index - 1),
      right: () => tab && store.move(tab.key, index + 1),
      close: () => tab && close([tab.key]),
      others: () => close(others),
      closeLeft: () => close(before),
      closeRight: () => close(after),
      all: () => close(tabs.filter(closable).map((one) => one.key)),
    };
    return {
      onClick: ({ key }) => actions[key]?.(),
      items: [
        { key: 'refresh', icon: <Icon name="retry" />, label: t('tabs.refresh'), disabled: tab === undefined },
        {
          key: 'pin',
          icon: <Icon name="pin" />,
          label: t(tab?.pinned === true ? 'tabs.unpin' : 'tabs.pin'),
          disabled: fixed,
        },
        { key: 'left', icon: <Icon name="back" />, label: t('tabs.left'), disabled: fixed || index <= 1 },
        {
          key: 'right',
          icon: <Icon name="right" />,
          label: t('tabs.right'),
          disabled: fixed || index >= tabs.length - 1,
        },
        { type: 'divider' },
        {
          key: 'close',
          icon: <Icon name="close" />,
          label: t('tabs.closeThis'),
          disabled: tab === undefined || !closable(tab),
        },
        { key: 'others', icon: noIcon, label: t('tabs.closeOthers'), disabled: others.length === 0 },
        { key: 'closeLeft', icon: noIcon, label: t('tabs.closeLeft'), disabled: before.length === 0 },
        { key: 'closeRight', icon: noIcon, label: t('tabs.closeRight'), disabled: after.length === 0 },
        { key: 'all', icon: noIcon, label: t('tabs.closeAll'), disabled: !tabs.some(closable) },
      ],
    };
  };
}

/** Keeps a name in line with those that have an icon. */
const noIcon = <span className={styles.noIcon} aria-hidden />;

function Tab({ tab, index, onMenu }: { tab: PageTab; index: number; onMenu: (place: Place) => void }) {
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  const store = useTabStore();
  const close = useCloseTabs();
  const here = useRef<HTMLLIElement>(null);
  const [over, setOver] = useState(false);
  const title = titleOf(tab);
  // Its title may come later than the tab, and be longer than what stood there.
  useEffect(() => {
    if (tab.selected) here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab.selected, title]);
  const drop = (event: React.DragEvent): void => {
    event.preventDefault();
    setOver(false);
    store.move(event.dataTransfer.getData('text/x-lampyris-tab'), index);
  };
  return (
    <li
      ref={here}
      className={[styles.tab, tab.selected ? styles.on : '', over ? styles.over : ''].join(' ')}
      draggable={tab.name !== 'home'}
      onDragStart={(event) => event.dataTransfer.setData('text/x-lampyris-tab', tab.key)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onContextMenu={(event) => {
        event.preventDefault();
        // A key asks for it at the corner of what is focused.
        const box = event.currentTarget.getBoundingClientRect();
        onMenu({ key: tab.key, x: event.clientX || box.left, y: event.clientY || box.bottom });
      }}
      onAuxClick={(event) => {
        if (event.button === 1) {
          event.preventDefault();
          if (closable(tab)) close([tab.key]);
        }
      }}
    >
      <Link
        to={tab.address}
        draggable={false}
        aria-current={tab.selected ? 'page' : undefined}
        title={title}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && closable(tab)) close([tab.key]);
        }}
      >
        {tab.pinned || tab.name === 'home' ? <Icon name="pin" size={12} /> : null}
        <span>{title}</span>
        {tab.pinned ? <span className="visually-hidden">{t('tabs.pinned')}</span> : null}
      </Link>
      {closable(tab) ? (
        <button type="button" aria-label={t('tabs.close', { title })} onClick={() => close([tab.key])}>
          <Icon name="close" size={12} />
        </button>
      ) : null}
    </li>
  );
}

/** Where a tab's menu was asked for, px of the window. */
interface Place {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

/** The strip of opened pages: links, so that it is a list of places and not of controls. */
export function TabStrip() {
  const { t } = useTranslation('shell');
  const store = useTabStore();
  const tabs = useStore(store, (state) => state.tabs);
  const actionsFor = useTabActions();
  const [place, setPlace] = useState<Place>();
  return (
    <nav className={styles.strip} aria-label={t('tabs.label')}>
      <ul>
        {tabs.map((tab, index) => (
          <Tab key={tab.key} tab={tab} index={index} onMenu={setPlace} />
        ))}
      </ul>
      <PartHost onFailed={() => setPlace(undefined)}>
        {place ? (
          <Dropdown
            key={`${place.key} ${place.x} ${place.y}`}
            open
            autoFocus
            trigger={['click']}
            menu={actionsFor(tabs.find(({ key }) => key === place.key))}
            onOpenChange={(open) => {
              if (!open) setPlace(undefined);
            }}
          >
            <span className={styles.place} style={{ left: place.x, top: place.y }} />
          </Dropdown>
        ) : null}
      </PartHost>
      <MenuOf placement="bottomRight" menu={actionsFor(tabs.find((tab) => tab.selected))}>
        <button type="button" className={styles.more} aria-label={t('tabs.menu')}>
          <Icon name="down" size={14} />
        </button>
      </MenuOf>
    </nav>
  );
}
