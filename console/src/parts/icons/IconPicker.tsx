import { Button, Input } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, iconNameOf, isIconName } from './Icon.tsx';
import { findIcons, pickable, wordsOf, type PickableIcon } from './pickable.ts';
import styles from './IconPicker.module.css';
import type { Romanise } from '../../locales/pinyin.ts';

interface Props {
  id: string;
  /** The chosen icon's name; names of older systems are shown as the icon they stand for. */
  value: string;
  onChange: (name: PickableIcon) => void;
  invalid?: boolean;
  describedBy?: string | undefined;
  disabled?: boolean;
  /** Id of the field's label: the button says label and chosen icon. */
  labelledBy?: string;
}

const nothing: Romanise = () => [];

/** Pinyin comes when somebody opens the picker: its dictionary is heavy. */
function useRomanise(): Romanise {
  const [romanise, setRomanise] = useState<Romanise>(() => nothing);
  useEffect(() => {
    let left = false;
    void import('../../locales/pinyin.ts').then((module) => {
      if (!left) setRomanise(() => module.romanise);
    });
    return () => {
      left = true;
    };
  }, []);
  return romanise;
}

/** An icon chosen from a searchable set (name, keyword, pinyin, initials), opened in place below its button. */
export function IconPicker({ id, value, onChange, invalid = false, describedBy, disabled = false, labelledBy }: Props) {
  const { t } = useTranslation('icons');
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  const shown = iconNameOf(value);
  const isOurs = isIconName(value);
  const name = isOurs || value === '' ? nameOf(t(shown as PickableIcon)) : t('picker.unknown', { name: value });
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // Escape folds the panel and leaves the dialog around it open.
    <div
      className={styles.picker}
      role="presentation"
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
      }}
    >
      <Button
        ref={button}
        id={id}
        className={styles.button ?? ''}
        disabled={disabled}
        danger={invalid}
        aria-expanded={open}
        aria-invalid={invalid}
        {...(open ? { 'aria-controls': panel } : {})}
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        {...(labelledBy === undefined ? {} : { 'aria-labelledby': `${labelledBy} ${id}` })}
        onClick={() => setOpen(!open)}
      >
        <Icon name={shown} />
        <span className={styles.name}>{value === '' ? t('picker.choose') : name}</span>
        <Icon name={open ? 'up' : 'down'} size={13} />
      </Button>
      {open ? (
        <Panel
          id={panel}
          value={value}
          onPick={(icon) => {
            onChange(icon);
            close();
          }}
          onMove={onChange}
        />
      ) : null}
    </div>
  );
}

const nameOf = (text: string): string => wordsOf(text)[0] ?? text;

/** One icon of the set is a radio button: arrows move through them, a click or Enter also closes. */
function Panel({
  id,
  value,
  onPick,
  onMove,
}: {
  id: string;
  value: string;
  onPick: (icon: PickableIcon) => void;
  onMove: (icon: PickableIcon) => void;
}) {
  const { t } = useTranslation('icons');
  const group = useId();
  const [text, setText] = useState('');
  const romanise = useRomanise();
  const found = findIcons(
    pickable.map((icon) => ({ icon, words: wordsOf(t(icon)) })),
    text,
    romanise,
  );
  const [first] = found;
  return (
    <div id={id} className={styles.panel}>
      <Input
        size="small"
        autoFocus
        allowClear
        prefix={<Icon name="search" size={13} />}
        placeholder={t('picker.search')}
        aria-label={t('picker.search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPressEnter={(event) => {
          event.preventDefault();
          if (first) onPick(first);
        }}
      />
      <div className={styles.grid} role="radiogroup" aria-label={t('picker.list')}>
        {found.map((icon) => (
          <label
            key={icon}
            className={styles.icon}
            title={nameOf(t(icon))}
            onClick={(event) => {
              if (event.detail > 0) onPick(icon);
            }}
          >
            <input
              type="radio"
              className="visually-hidden"
              name={group}
              checked={icon === value}
              aria-label={nameOf(t(icon))}
              onChange={() => onMove(icon)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') {
                  event.preventDefault();
                  onPick(icon);
                }
              }}
            />
            <Icon name={icon} size={20} />
          </label>
        ))}
      </div>
      {found.length === 0 ? <p className={styles.none}>{t('picker.none', { text })}</p> : null}
      <span className="visually-hidden" role="status">
        {text === '' ? '' : t('picker.found', { n: found.length })}
      </span>
    </div>
  );
}
