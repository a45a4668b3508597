import { Button, Checkbox, Popover } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon/Icon.tsx';
import styles from './declared.module.css';

interface Props {
  choices: readonly { key: string; name: string }[];
  /** Shown columns, in order. */
  shown: readonly string[];
  /** null: back to the list's own choice. */
  onChange: (shown: readonly string[] | null) => void;
  /** Always shown: without it no row could be opened. */
  fixed: string;
}

const moved = (list: readonly string[], key: string, by: -1 | 1): string[] => {
  const next = list.filter((one) => one !== key);
  next.splice(Math.max(0, Math.min(next.length, list.indexOf(key) + by)), 0, key);
  return next;
};

/** Which columns a list shows, and in which order; kept for the account. */
export function ColumnPicker({ choices, shown, onChange, fixed }: Props) {
  const { t } = useTranslation('declared');
  const nameOf = (key: string): string => choices.find((choice) => choice.key === key)?.name ?? key;
  const rest = choices.filter((choice) => !shown.includes(choice.key)).map((choice) => choice.key);
  const list = (
    <div>
      <ul className={styles.columns}>
        {[...shown, ...rest].map((key) => {
          const on = shown.includes(key);
          return (
            <li key={key}>
              <Checkbox checked={on} disabled={key === fixed} onChange={() => onChange(on ? shown.filter((one) => one !== key) : [...shown, key])}>{nameOf(key)}</Checkbox>
              {on ? <>
                <Button size="small" type="text" aria-label={t('list.columns.up', { name: nameOf(key) })} icon={<Icon name="up" size={12} />} onClick={() => onChange(moved(shown, key, -1))} />
                <Button size="small" type="text" aria-label={t('list.columns.down', { name: nameOf(key) })} icon={<Icon name="down" size={12} />} onClick={() => onChange(moved(shown, key, 1))} />
              </> : null}
            </li>
          );
        })}
      </ul>
      <div className={styles.columnsFoot}><Button size="small" onClick={() => onChange(null)}>{t('list.columns.reset')}</Button></div>
    </div>
  );
  return (
    // Within the page, not behind it: a reader finds it in the main landmark.
    <Popover getPopupContainer={(node) => node.closest<HTMLElement>('[data-tab]') ?? document.body} trigger="click" placement="bottomRight" content={list} title={t('list.columns')}>
      <Button type="text" aria-label={t('list.columns')} title={t('list.columns')} icon={<Icon name="columns" />} />
    </Popover>
  );
}
