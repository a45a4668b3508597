import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons/Icon.tsx';
import styles from './base-map.module.css';
import { useBaseMapName, type BaseMapChoice } from './use-base-map.ts';

/** Which map lies under everything: a button that opens the list. Nothing to choose from: no button. */
export function BaseMapButton({ base: { all, chosen, choose, failure } }: { base: BaseMapChoice }) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    list.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
    const leave = (event: PointerEvent) => {
      if (!(event.target instanceof Node) || !root.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', leave);
    return () => window.removeEventListener('pointerdown', leave);
  }, [open]);
  if (all.length < 2) return null;
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    if (to === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (to !== undefined) items[(to + items.length) % items.length]?.focus();
  };
  return (
    <div ref={root} className={styles.chooser}>
      <button
        type="button"
        aria-label={t('choose')}
        title={t('choose')}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="layers" size={16} />
      </button>
      {open ? (
        <div
          ref={list}
          id={id}
          className={styles.list}
          role="menu"
          tabIndex={-1}
          aria-label={t('choose')}
          onKeyDown={onKey}
        >
          {all.map((map) => (
            <button
              key={map.id}
              type="button"
              role="menuitemradio"
              aria-checked={map.id === chosen?.id}
              tabIndex={-1}
              onClick={() => {
                choose(map.id);
                close();
              }}
            >
              <Icon name={map.id === chosen?.id ? 'check' : 'map'} size={14} />
              <span>
                {nameOf(map)}
                {map.id === chosen?.id && failure !== null ? <small>{t('silent')}</small> : null}
              </span>
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
