import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { fields, usePageKeys } from '../../frame/single-keys.ts';
import { heldCommands, heldMs, undoCommand, type HeldCommand } from '../../parts/commands/hold.ts';
import { formatNumber, Icon, toast } from '../../parts/index.ts';
import styles from './UndoBar.module.css';

interface Props {
  /** What had the focus when the last command was asked for. */
  askedAt: RefObject<Element | null>;
}

/** Commands that wait to be sent, each with its way back: a click, Enter on its button, or Z for the last one. */
export default function UndoBar({ askedAt }: Props) {
  const { t } = useTranslation('commands');
  const held = useStore(heldCommands);
  const undo = (one: HeldCommand | undefined): boolean => {
    if (one === undefined || !undoCommand(one.id)) return false;
    toast.note(t('hold.undone', { what: one.what }));
    return true;
  };
  usePageKeys({ Z: () => undo(heldCommands.getState().at(-1)) }, true);
  return (
    <section className={styles.region} aria-label={t('hold.region')}>
      {held.map((one) => (
        <Waiting key={one.id} held={one} last={one === held.at(-1)} askedAt={askedAt} onUndo={() => undo(one)} />
      ))}
    </section>
  );
}

const secondsLeft = ({ sendsAt }: HeldCommand): number =>
  Math.min(heldMs / 1000, Math.max(1, Math.ceil((sendsAt - Date.now()) / 1000)));

/** The operator types in it; a field of the dialog in which the command was asked for is about to go. */
const isTypedIn = (one: Element | null, askedAt: Element | null): boolean =>
  one !== null && one.closest(fields) !== null && !(one === askedAt && one.closest('[role="dialog"]') !== null);

interface WaitingProps extends Props {
  held: HeldCommand;
  last: boolean;
  onUndo: () => void;
}

function Waiting({ held, last, askedAt, onUndo }: WaitingProps) {
  const { t, i18n } = useTranslation('commands');
  const button = useRef<HTMLButtonElement>(null);
  const [seconds, setSeconds] = useState(() => secondsLeft(held));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsLeft(held)), 200);
    return () => clearInterval(timer);
  }, [held]);
  // Enter undoes, unless it belongs to a field: the code of the first bar comes late, and somebody may type meanwhile.
  // Afterwards the focus is where it was, else on the page: what had it may have been the dialog.
  useLayoutEffect(() => {
    const own = button.current;
    const before = document.activeElement;
    if (!isTypedIn(before, askedAt.current)) own?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement !== own) return;
      const back = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null;
      (back ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, [askedAt]);
  return (
    <div className={styles.bar}>
      <span className={styles.time} style={{ animationDuration: `${heldMs}ms` }} aria-hidden />
      <span role="status" className={styles.text}>
        {t('hold.text', { what: held.what, n: formatNumber(held.lamps, i18n.language, 0) })}
      </span>
      <button ref={button} type="button" onClick={onUndo} aria-keyshortcuts={last ? 'Z' : undefined}>
        <Icon name="undo" size={14} />
        {t('hold.undo')}
        <span className={styles.seconds} aria-hidden>
          {t('hold.seconds', { n: seconds })}
        </span>
        {last ? <kbd aria-hidden>Z</kbd> : null}
      </button>
    </div>
  );
}
