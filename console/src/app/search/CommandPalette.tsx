import { Modal } from 'antd';
import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, useErrorText } from '../../parts/index.ts';
import { searchClosed, takeEarlyKeys } from './early-keys.ts';
import { useOpen } from '../../frame/tabs/tab-context.ts';
import type { Romanise } from '../../locales/pinyin.ts';
import { Preview } from './Preview.tsx';
import { useHits, type Hit, type HitGroup } from './use-hits.ts';
import styles from './CommandPalette.module.css';

const none: Romanise = () => [];
const MOST_LETTERS = 60;

/** Pinyin arrives a moment after the dialog; until then titles are searched. */
function useRomanise(): Romanise {
  const [romanise, setRomanise] = useState<Romanise>(() => none);
  useEffect(() => {
    let gone = false;
    import('../../locales/pinyin.ts').then(
      (module) => (gone ? undefined : setRomanise(() => module.romanise)),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return romanise;
}

interface GroupProps {
  id: string;
  group: HitGroup;
  choice: Hit | undefined;
  faded: boolean;
  onGo: (hit: Hit) => void;
  onPoint: (hit: Hit) => void;
}

function Group({ id, group, choice, faded, onGo, onPoint }: GroupProps) {
  const { t } = useTranslation('shell');
  const { t: acts } = useTranslation('search');
  const heading = `${id}-of-${group.key}`;
  return (
    <li role="presentation">
      <div id={heading} className={styles.heading} role="presentation">
        {group.key === 'actions' || group.key === 'commands'
          ? acts(`group.${group.key}`)
          : t(`search.group.${group.key}`)}
      </div>
      <ul role="group" aria-labelledby={heading} className={faded ? styles.faded : undefined}>
        {group.hits.map((hit) => (
          <li
            key={hit.key}
            id={`${id}-${hit.key}`}
            role="option"
            aria-selected={hit === choice}
            className={hit === choice ? styles.on : undefined}
            onClick={() => onGo(hit)}
            onMouseMove={() => onPoint(hit)}
          >
            <Icon name={hit.icon} />
            {hit.code === null ? null : <b className="code">{hit.code}</b>}
            <span>{hit.title}</span>
            {hit.place === '' ? null : <small>{hit.place}</small>}
          </li>
        ))}
      </ul>
    </li>
  );
}

/**
 * Ctrl K: finds menus, poles, devices and roads by name, code, pinyin or initials, and acts by their verb; opens what is
 * chosen. Nothing is sent to a lamp from here: a command opens its dialog.
 */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const open = useOpen();
  const romanise = useRomanise();
  const id = useId();
  const [text, setText] = useState('');
  // What was typed while this code was on its way.
  useEffect(() => {
    const typed = takeEarlyKeys();
    if (typed !== '') setText((before) => (typed + before).slice(0, MOST_LETTERS));
    return searchClosed;
  }, []);
  const [at, setAt] = useState(0);
  // Enter was pressed before the answer was there: it opens what the answer puts first.
  const [waiting, setWaiting] = useState(false);
  const { groups, settled, error, retry, remember } = useHits(text, romanise);
  const hits = groups.flatMap((group) => group.hits);
  const last = Math.max(0, hits.length - 1);
  const choice = hits[Math.min(at, last)];
  const isThing = ({ go: way, key }: Hit): boolean =>
    'address' in way && way.recent.kind !== 'page' && !key.startsWith('recent-');

  const go = ({ go: way }: Hit): void => {
    onClose();
    if ('act' in way) return way.act();
    remember(way.recent);
    open(way.address);
  };
  const choose = (): void => {
    // What still answers the text before is not opened by mistake.
    if (!settled && (choice === undefined || isThing(choice))) setWaiting(true);
    else if (choice) go(choice);
  };
  const answered = useEffectEvent(() => {
    setWaiting(false);
    // A command only opens its dialog: nothing is sent by mistake.
    if (choice && ((isThing(choice) && !error) || ('act' in choice.go && choice.go.asks))) go(choice);
  });
  useEffect(() => {
    if (waiting && settled) answered();
  }, [waiting, settled]);
  useEffect(() => {
    if (choice) document.getElementById(`${id}-${choice.key}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, choice]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, last) + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose();
  };
  const type = (typed: string): void => {
    setText(typed);
    setAt(0);
    setWaiting(false);
  };
  const said = error
    ? t('search.failed', { reason: errorText(error) })
    : hits.length > 0
      ? t('search.hint')
      : settled
        ? t('search.none', { text: text.trim() })
        : t('search.searching');
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      closable={false}
      width="min(880px, calc(100vw - 32px))"
      title={<span className="visually-hidden">{t('search.open')}</span>}
      className={styles.palette ?? ''}
      style={{ top: 72 }}
    >
      <div className={styles.field}>
        <Icon name="search" />
        <input
          autoFocus
          value={text}
          maxLength={MOST_LETTERS}
          placeholder={t('search.placeholder')}
          onKeyDown={onKeyDown}
          onChange={(event) => type(event.target.value)}
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-label={t('search.open')}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          {...(choice ? { 'aria-activedescendant': `${id}-${choice.key}` } : {})}
        />
      </div>
      <div className={styles.found}>
        {settled && hits.length === 0 ? (
          <div className={styles.nothing} aria-hidden>
            <Icon name={error ? 'warning' : 'search'} size={22} />
            <b>{said}</b>
            {error ? null : <span>{t('search.advice')}</span>}
          </div>
        ) : null}
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label={t('search.results')}
          aria-busy={!settled}
          className={styles.list}
        >
          {groups.map((group) => (
            <Group
              key={group.key}
              id={id}
              group={group}
              choice={choice}
              faded={!settled && group.hits.some(isThing)}
              onGo={go}
              onPoint={(hit) => setAt(hits.indexOf(hit))}
            />
          ))}
        </ul>
        {choice ? <Preview hit={choice} /> : null}
      </div>
      <div className={styles.foot}>
        <span aria-live="polite" className={settled && hits.length === 0 ? 'visually-hidden' : undefined}>
          {said}
        </span>
        {error ? (
          <button type="button" onClick={() => void retry()}>
            {t('search.retry')}
          </button>
        ) : null}
      </div>
    </Modal>
  );
}
