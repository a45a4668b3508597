import { Button, Input } from 'antd';
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreference } from '../../frame/index.ts';
import { Icon } from '../icons/Icon.tsx';
import styles from './SearchPanel.module.css';

/** One condition: text where `input` is left out, else what `input` draws. Values are text, empty when unused. */
export interface SearchField {
  key: string;
  label: string;
  /** Takes the room of two: moments with seconds are long. */
  wide?: boolean;
  input?: (control: { id: string; value: string; onChange: (value: string) => void }) => ReactNode;
}

interface Props {
  fields: readonly SearchField[];
  /** The conditions in force. */
  values: Readonly<Record<string, string>>;
  /** Empty conditions are left out. */
  onSearch: (values: Record<string, string>) => void;
  /** Reset, where it takes away more than the fields' conditions; absent: a search without any. */
  onReset?: () => void;
}

/** Conditions in the folded row besides the text. */
const QUICK = 3;
/** px of the window from which on the card may start unfolded. */
const DESK = 900;

type Values = Readonly<Record<string, string>>;
const used = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

/** What stands in the folded row: the text first, then the quick conditions, then every other one in force. */
export function inRow(fields: readonly SearchField[], values: Values): readonly SearchField[] {
  const text = fields.find(({ input }) => input === undefined);
  const quick = fields.filter(({ input, wide }) => input !== undefined && wide !== true).slice(0, QUICK);
  const shown = new Set([...(text ? [text] : []), ...quick]);
  return [...shown, ...fields.filter((field) => !shown.has(field) && (values[field.key] ?? '') !== '')];
}

/**
 * The search panel (specified 2.8): a collapsible card 查询条件. Folded it is one row: the text, quick conditions that
 * search at once, and every condition in force, each with a way to remove it. Enter searches, reset clears and searches
 * again. Whether it starts unfolded is kept for the account.
 */
export function SearchPanel({ fields, values, onSearch, onReset = () => onSearch({}) }: Props) {
  const { t } = useTranslation('declared');
  const base = useId();
  const [draft, setDraft] = useState<Values>(values);
  const [kept, keep] = usePreference('searchUnfolded', false, (stored) => stored === true);
  const [turned, setTurned] = useState<boolean | null>(null);
  const open = turned ?? (kept && window.innerWidth > DESK);
  const inForce = JSON.stringify(values);
  // Another address (a link, back) shows its own conditions.
  // A page that is only shown again keeps what was typed.
  const [shownFor, setShownFor] = useState(inForce);
  if (shownFor !== inForce) {
    setShownFor(inForce);
    setDraft(values);
  }
  const count = Object.keys(used(values)).length;
  const turn = (): void => {
    setTurned(!open);
    if (window.innerWidth > DESK) keep(!open);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(used(draft));
  };
  const reset = (): void => {
    setDraft({});
    onReset();
  };
  const put = (key: string, value: string): Record<string, string> => {
    const next = { ...draft, [key]: value };
    setDraft(next);
    return used(next);
  };
  const buttons = (size: 'small' | 'middle'): ReactNode => (
    <div className={styles.buttons}>
      <Button size={size} onClick={reset}>
        {t('search.reset')}
      </Button>
      <Button
        size={size}
        {...(open ? { type: 'primary' } : {})}
        htmlType="submit"
        icon={<Icon name="search" size={14} />}
      >
        {t('search.submit')}
      </Button>
    </div>
  );
  const foldButton = useRef<HTMLButtonElement>(null);
  // The text stays; another control may go with its condition or have no room, so the fold button takes the focus.
  const remove = ({ key, input }: SearchField): void => {
    onSearch(put(key, ''));
    (input ? foldButton.current : document.getElementById(`${base}-${key}`))?.focus();
  };
  const further = fields.length - inRow(fields, draft).length;
  const fold = (
    <button
      ref={foldButton}
      type="button"
      className={styles.fold}
      aria-expanded={open}
      aria-controls={`${base}-body`}
      onClick={turn}
    >
      <Icon name={open ? 'up' : further > 0 ? 'plus' : 'down'} size={12} />
      {open ? t('search.fold') : further > 0 ? t('search.more') : t('search.unfold')}
    </button>
  );
  return (
    <section className={styles.panel} data-folded={!open || undefined} aria-labelledby={`${base}-title`}>
      <form
        id={`${base}-body`}
        className={open ? '' : styles.row}
        data-unused={Object.keys(used(draft)).length === 0 || undefined}
        onSubmit={submit}
        role="search"
        aria-labelledby={`${base}-title`}
      >
        <div className={styles.head}>
          <h2 id={`${base}-title`}>{t('search.title')}</h2>
          {open && count > 0 ? <span className={styles.used}>{t('search.used', { n: count })}</span> : null}
          {open ? fold : null}
        </div>
        {open ? (
          <div className={styles.body}>
            {fields.map((field) => (
              <Field
                key={field.key}
                id={`${base}-${field.key}`}
                field={field}
                value={draft[field.key] ?? ''}
                onChange={(value) => void put(field.key, value)}
              />
            ))}
            {buttons('middle')}
          </div>
        ) : (
          <>
            {inRow(fields, draft).map((field, index) => (
              <Pill
                key={field.key}
                id={`${base}-${field.key}`}
                place={index}
                field={field}
                value={draft[field.key] ?? ''}
                inForce={(values[field.key] ?? '') !== ''}
                onChange={(value) => {
                  const next = put(field.key, value);
                  if (field.input) onSearch(next);
                }}
                onRemove={() => remove(field)}
              />
            ))}
            {fold}
            {buttons('small')}
          </>
        )}
      </form>
    </section>
  );
}

interface FieldProps {
  id: string;
  field: SearchField;
  value: string;
  onChange: (value: string) => void;
}

/** A condition of the unfolded card: its label, then its control. */
function Field({ id, field: { label, wide, input }, value, onChange }: FieldProps) {
  return (
    <div className={wide === true ? `${styles.field} ${styles.wide}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      <div>
        {input ? (
          input({ id, value, onChange })
        ) : (
          <Input id={id} value={value} allowClear maxLength={100} onChange={(event) => onChange(event.target.value)} />
        )}
      </div>
    </div>
  );
}

/** A condition of the folded row; in force it can be removed by itself. */
function Pill({
  id,
  place,
  field: { label, wide, input },
  value,
  inForce,
  onChange,
  onRemove,
}: FieldProps & { place: number; inForce: boolean; onRemove: () => void }) {
  const { t } = useTranslation('declared');
  return (
    <div
      className={styles.pill}
      data-place={place}
      data-text={input === undefined || undefined}
      data-wide={wide === true || undefined}
      data-in-force={inForce || undefined}
    >
      <label htmlFor={id} className={input === undefined ? 'visually-hidden' : ''} title={label}>
        {label}
      </label>
      <div className={styles.control}>
        {input ? (
          input({ id, value, onChange })
        ) : (
          <Input
            id={id}
            size="small"
            value={value}
            allowClear={!inForce}
            maxLength={100}
            placeholder={label}
            prefix={<Icon name="search" size={13} />}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </div>
      {inForce ? (
        <button
          type="button"
          className={styles.remove}
          aria-label={t('search.remove', { label })}
          title={t('search.remove', { label })}
          onClick={onRemove}
        >
          <Icon name="close" size={11} />
        </button>
      ) : null}
    </div>
  );
}
