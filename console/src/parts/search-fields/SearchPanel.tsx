import { Button, Input } from 'antd';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
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
}

/** So many conditions stand in the panel at once; the rest comes on demand. */
const AT_FIRST = 5;

const used = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

/** The search panel (specified 2.8): a collapsible card 查询条件; Enter searches, reset clears and searches again. */
export function SearchPanel({ fields, values, onSearch }: Props) {
  const { t } = useTranslation('declared');
  const base = useId();
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(values);
  const [open, setOpen] = useState(() => window.innerWidth > 900);
  const further = fields.slice(AT_FIRST);
  // A condition in force is never out of sight.
  const [all, setAll] = useState(() => further.some((field) => values[field.key]));
  const inForce = JSON.stringify(values);
  // Another address (a link, back) shows its own conditions.
  // A page that is only shown again keeps what was typed.
  const [shownFor, setShownFor] = useState(inForce);
  if (shownFor !== inForce) {
    setShownFor(inForce);
    setDraft(values);
  }
  const count = Object.keys(used(values)).length;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(used(draft));
  };
  const reset = (): void => {
    setDraft({});
    onSearch({});
  };
  return (
    <section className={styles.panel} aria-labelledby={`${base}-title`}>
      <div className={styles.head}>
        <h2 id={`${base}-title`}>{t('search.title')}</h2>
        {count > 0 ? <span className={styles.used}>{t('search.used', { n: count })}</span> : null}
        {open && further.length > 0 ? (
          <button type="button" className={styles.fold} aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('search.less') : t('search.more', { n: further.length })}
          </button>
        ) : null}
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={`${base}-body`}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'search.fold' : 'search.unfold')}
          <Icon name={open ? 'up' : 'down'} size={12} />
        </button>
      </div>
      <form
        id={`${base}-body`}
        className={styles.body}
        hidden={!open}
        onSubmit={submit}
        role="search"
        aria-labelledby={`${base}-title`}
      >
        {(all ? fields : fields.slice(0, AT_FIRST)).map(({ key, label, wide, input }) => {
          const id = `${base}-${key}`;
          const onChange = (value: string): void => setDraft((before) => ({ ...before, [key]: value }));
          const value = draft[key] ?? '';
          return (
            <div key={key} className={wide === true ? `${styles.field} ${styles.wide}` : styles.field}>
              <label htmlFor={id}>{label}</label>
              <div>
                {input ? (
                  input({ id, value, onChange })
                ) : (
                  <Input
                    id={id}
                    value={value}
                    allowClear
                    maxLength={100}
                    onChange={(event) => onChange(event.target.value)}
                  />
                )}
              </div>
            </div>
          );
        })}
        <div className={styles.buttons}>
          <Button onClick={reset}>{t('search.reset')}</Button>
          <Button type="primary" htmlType="submit" icon={<Icon name="search" size={14} />}>
            {t('search.submit')}
          </Button>
        </div>
      </form>
    </section>
  );
}
