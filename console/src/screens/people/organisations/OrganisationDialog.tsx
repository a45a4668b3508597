import { Button, Modal } from 'antd';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../frame/ask.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { showFirstProblem } from '../../../parts/form/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { inPreview } from '../../../session/index.ts';
import { isRoot, type Node } from './organisation.ts';
import { OrganisationFields } from './OrganisationFields.tsx';
import { useOrganisationForm } from './use-organisation-form.ts';
import { Versions } from './Versions.tsx';
import styles from './organisations.module.css';

/** A new node below `parent` (stored null), or the change of one. */
export interface Task {
  parent: Node;
  stored: Node | null;
}
interface Props {
  task: Task | null;
  onClose: () => void;
  onSaved: (id: number, task: Task) => void;
}

/**
 * "Node information edit" (specified 7.2). Closing it forgets what was typed, and asks first when there is something.
 */
export function OrganisationDialog({ task, onClose, onSaved }: Props) {
  const { t } = useTranslation('organisations');
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const shown = useLast(task);
  const title = t('dialog.title');
  const leave = (): void => {
    setDirty(false);
    onClose();
  };
  const close = (): void => {
    if (!dirty) return leave();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) leave();
    });
  };
  return (
    <Modal
      open={task !== null}
      title={title}
      width={560}
      onCancel={close}
      footer={null}
      mask={{ closable: !dirty }}
      destroyOnHidden
    >
      {shown === null ? null : (
        <Form
          key={`${shown.parent.id}-${shown.stored?.id ?? 'new'}`}
          task={shown}
          onDirty={setDirty}
          onCancel={close}
          onSaved={(id) => {
            toast.done(t(shown.stored ? 'update.done' : 'add.done'));
            leave();
            onSaved(id, shown);
          }}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  task: Task;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onSaved: (id: number) => void;
}

function Form({ task: { parent, stored }, onDirty, onCancel, onSaved }: FormProps) {
  const { t } = useTranslation('organisations');
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = useOrganisationForm(stored, parent.id);
  // The dialog around it asks before it closes.
  useEffect(() => onDirty(form.changed), [form.changed, onDirty]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') return onSaved(outcome.saved);
    showFirstProblem(element.current);
  };
  const count = Object.keys(form.problems).length;
  const where = stored
    ? t('dialog.edit', { name: stored.orgName })
    : t('dialog.add', { name: isRoot(parent) ? t('root') : parent.orgName });
  return (
    <form
      ref={element}
      className={styles.form}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-busy={form.busy}
    >
      <p className={styles.where}>{where}</p>
      {form.theirs === undefined ? null : <Versions form={form} theirs={form.theirs} />}
      <OrganisationFields form={form} disabled={inPreview()} />
      {form.failure ? (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t(stored ? 'update.failed' : 'add.failed')} · {errorText(form.failure)}
          </span>
        </p>
      ) : null}
      <div className={styles.foot}>
        {count > 0 ? (
          <span className={styles.problems} role="alert">
            <Icon name="warning" size={13} />
            {t('dialog.problems', { n: count })}
          </span>
        ) : null}
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={form.busy}
          disabled={form.busy || inPreview() || form.theirs !== undefined}
        >
          {t('dialog.save')}
        </Button>
      </div>
    </form>
  );
}
