import { Button, Checkbox, Input, Popover } from 'antd';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { savedViewLimits } from '../../../../../contract/people/saved-views.ts';
import { ApiError } from '../../../api/index.ts';
import { Icon } from '../../icons/Icon.tsx';
import { useErrorText } from '../../notices/error-text.ts';
import type { View } from './view.ts';
import type { Views } from './use-views.ts';
import styles from './views.module.css';

/** Asks for a name; a refusal stands below the field. */
export function NameForm({
  name: given,
  submit,
  children,
  onSave,
  onCancel,
}: {
  name: string;
  submit: string;
  children?: ReactNode;
  onSave: (name: string) => Promise<unknown>;
  onCancel: () => void;
}) {
  const { t } = useTranslation('lists');
  const errorText = useErrorText();
  const [name, setName] = useState(given);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return setFailure(t('views.name.needed'));
    setBusy(true);
    try {
      await onSave(name.trim());
      onCancel();
    } catch (error) {
      const ofName = error instanceof ApiError ? error.fieldErrors['name'] : undefined;
      setFailure(ofName ?? errorText(error));
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <label htmlFor={id}>{t('views.name')}</label>
      <Input
        id={id}
        autoFocus
        value={name}
        maxLength={savedViewLimits.name}
        placeholder={t('views.name.example')}
        aria-invalid={failure !== null}
        aria-describedby={failure === null ? undefined : `${id}-why`}
        {...(failure === null ? {} : { status: 'error' as const })}
        onChange={({ target }) => {
          setName(target.value);
          setFailure(null);
        }}
      />
      {failure === null ? null : (
        <p id={`${id}-why`} role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      {children}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('batch.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Saves what the list shows as a view of its own, or in the view that it came from. */
export function SaveView({ views, based }: { views: Views; based: View | undefined }) {
  const { t } = useTranslation('lists');
  const [isOpen, setOpen] = useState(false);
  const [shared, setShared] = useState(false);
  const [start, setStart] = useState(false);
  const close = (): void => {
    setOpen(false);
    setShared(false);
    setStart(false);
  };
  const content = (
    <NameForm name="" submit={t('views.save')} onSave={(name) => views.save({ name, shared, start })} onCancel={close}>
      <Checkbox checked={shared} onChange={({ target }) => setShared(target.checked)}>
        {t('views.share.area')}
      </Checkbox>
      <Checkbox checked={start} onChange={({ target }) => setStart(target.checked)}>
        {t('views.start.begin')}
      </Checkbox>
      {based?.own ? (
        <Button
          block
          onClick={() => {
            views.keep(based);
            close();
          }}
        >
          {t('views.keep', { name: based.name })}
        </Button>
      ) : null}
    </NameForm>
  );
  return (
    <Popover
      getPopupContainer={(node) => node.closest<HTMLElement>('[data-tab] > div') ?? document.body}
      trigger="click"
      placement="bottomLeft"
      open={isOpen}
      onOpenChange={(next) => (next ? setOpen(true) : close())}
      destroyOnHidden
      title={t('views.saveTitle')}
      content={content}
    >
      <button type="button" className={`${styles.chip} ${styles.save}`} aria-haspopup="dialog" aria-expanded={isOpen}>
        <Icon name="plus" size={12} />
        {t('views.saveThis')}
      </button>
    </Popover>
  );
}
