import { Button, Checkbox, Popover, Select } from 'antd';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { DensityName } from '../../theme/tokens.ts';
import { Icon } from '../icons/Icon.tsx';
import { narrowest, widest, type ListLookState } from './columns.ts';
import styles from './list.module.css';

const densities = ['compact', 'standard', 'loose'] as const satisfies readonly DensityName[];

/** Pixels a press makes a column wider or narrower by. */
const step = 24;
const usualWidth = 160;

/** The list with `key` where `before` stands, or last. */
const placed = (list: readonly string[], key: string, at: number): string[] => {
  const rest = list.filter((one) => one !== key);
  return [...rest.slice(0, at), key, ...rest.slice(at)];
};

interface Props<R> {
  look: ListLookState<R>;
}

function Columns<R>({ look }: Props<R>) {
  const { t } = useTranslation('lists');
  const shown = look.shown.map((column) => column.key);
  const rest = look.all.filter((column) => !shown.includes(column.key));
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const refocus = useRef<string | null>(null);
  // A moved row loses the focus in the browser: the button that moved it gets it back, or its twin at either end.
  useEffect(() => {
    if (refocus.current === null) return;
    const [key, way] = refocus.current.split('|');
    refocus.current = null;
    const item = [...(list.current?.children ?? [])].find(
      (one) => one instanceof HTMLElement && one.dataset['column'] === key,
    );
    const buttons = [...(item?.querySelectorAll('button') ?? [])];
    (
      buttons.find((button) => button.dataset['way'] === way && !button.disabled) ??
      buttons.find((button) => !button.disabled)
    )?.focus();
  });
  const move = (key: string, to: number, way?: string): void => {
    if (way !== undefined) refocus.current = `${key}|${way}`;
    const column = look.all.find((one) => one.key === key);
    setSaid(t('columns.moved', { name: column?.name ?? key, n: to + 1, total: shown.length }));
    look.show(placed(shown, key, to));
  };
  const widen = (key: string, by: number): void => {
    const head = document.querySelector<HTMLElement>(
      `[data-list="${CSS.escape(look.name)}"] th[data-column="${CSS.escape(key)}"]`,
    );
    const width = Math.min(widest, Math.max(narrowest, (look.widths[key] ?? head?.offsetWidth ?? usualWidth) + by));
    look.setWidth(key, width);
    setSaid(t('columns.width', { name: look.all.find((one) => one.key === key)?.name ?? key, n: Math.round(width) }));
  };
  const drop = (event: DragEvent, key: string): void => {
    event.preventDefault();
    if (dragged !== null && dragged !== key) move(dragged, shown.indexOf(key));
    setOver(null);
  };
  return (
    <>
      <ul className={styles.columns} ref={list}>
        {[...look.shown, ...rest].map((column) => {
          const at = shown.indexOf(column.key);
          const on = at >= 0;
          return (
            <li
              key={column.key}
              data-column={column.key}
              draggable={on}
              className={over === column.key ? styles.over : ''}
              onDragStart={(event) => {
                event.dataTransfer?.setData('text/plain', column.key);
                setDragged(column.key);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
              onDragOver={(event) => {
                if (on && dragged !== null) {
                  event.preventDefault();
                  setOver(column.key);
                }
              }}
              onDrop={(event) => drop(event, column.key)}
            >
              <span className={on ? styles.grip : styles.noGrip} aria-hidden="true">
                <Icon name="list" size={12} />
              </span>
              <Checkbox
                checked={on}
                disabled={column.always === true}
                onChange={() => look.show(on ? shown.filter((key) => key !== column.key) : [...shown, column.key])}
              >
                {column.name}
              </Checkbox>
              {on ? (
                <>
                  <Button
                    size="small"
                    type="text"
                    disabled={look.widths[column.key] === narrowest}
                    aria-label={t('columns.narrower', { name: column.name })}
                    title={t('columns.narrower', { name: column.name })}
                    icon={<Icon name="minus" size={12} />}
                    onClick={() => widen(column.key, -step)}
                  />
                  <Button
                    size="small"
                    type="text"
                    disabled={look.widths[column.key] === widest}
                    aria-label={t('columns.wider', { name: column.name })}
                    title={t('columns.wider', { name: column.name })}
                    icon={<Icon name="plus" size={12} />}
                    onClick={() => widen(column.key, step)}
                  />
                  <Button
                    size="small"
                    type="text"
                    data-way="up"
                    disabled={at === 0}
                    aria-label={t('columns.up', { name: column.name })}
                    icon={<Icon name="up" size={12} />}
                    onClick={() => move(column.key, at - 1, 'up')}
                  />
                  <Button
                    size="small"
                    type="text"
                    data-way="down"
                    disabled={at === shown.length - 1}
                    aria-label={t('columns.down', { name: column.name })}
                    icon={<Icon name="down" size={12} />}
                    onClick={() => move(column.key, at + 1, 'down')}
                  />
                </>
              ) : null}
            </li>
          );
        })}
      </ul>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

/**
 * Which columns a list shows, in which order, how wide, and how high its rows are; kept for the account. By drag or by
 * the buttons of each row.
 */
export function ColumnSettings<R>({ look }: Props<R>) {
  const { t } = useTranslation('lists');
  const content = (
    <div className={styles.settings}>
      <Columns look={look} />
      <div className={styles.settingsFoot}>
        <Select<DensityName | 'settings'>
          size="small"
          aria-label={t('density')}
          value={look.density ?? 'settings'}
          popupMatchSelectWidth={false}
          onChange={(density) => look.setDensity(density === 'settings' ? undefined : density)}
          options={[
            { value: 'settings', label: t('density.settings') },
            ...densities.map((density) => ({ value: density, label: t(`density.${density}`) })),
          ]}
          getPopupContainer={(node) => node.parentElement ?? document.body}
        />
        <Button size="small" disabled={!look.changed} onClick={look.reset}>
          {t('columns.reset')}
        </Button>
      </div>
    </div>
  );
  return (
    // Within the page, not behind it: a reader finds it in the main landmark.
    <Popover
      getPopupContainer={(node) => node.closest<HTMLElement>('[data-tab] > div') ?? document.body}
      trigger="click"
      placement="bottomRight"
      content={content}
      title={t('columns')}
    >
      <Button type="text" aria-label={t('columns')} title={t('columns')} icon={<Icon name="columns" />} />
    </Popover>
  );
}
