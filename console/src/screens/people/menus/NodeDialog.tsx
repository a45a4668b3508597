import { Button, Modal } from 'antd';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../frame/ask.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { showFirstProblem } from '../../../parts/form/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { inPreview } from '../../../session/index.ts';
import type { Node } from './node.ts';
import { NodeFields } from './NodeFields.tsx';
import { useNodeForm } from './use-node-form.ts';
import { Versions } from './Versions.tsx';
import styles from './menus.module.css';

/** A new node below `parent` (stored null), or the change of one. */
export interface NodeTask {
  parent: Node;
  stored: Node | null;
}

interface Props {
  task: NodeTask | null;
  nameOf: (node: Node) => string;
  onClose: () => void;
  onSaved: (id: number, task: NodeTask) => void;
}

/** The edit dialog (specified 5.3). Closing it forgets what was typed, and asks first when there is something. */
export function NodeDialog({ task, nameOf, onClose, onSaved }: Props) {
  const { t } = useTranslation('menus');
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const shown = useLast(task);
  const title = shown?.stored
    ? t('dialog.edit', { name: nameOf(shown.stored) })
    : t('dialog.add', { name: shown ? nameOf(shown.parent) : '' });
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
      width={640}
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
  task: NodeTask;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onSaved: (id: number) => void;
}

function Form({ task: { parent, stored }, onDirty, onCancel, onSaved }: FormProps) {
  const { t } = useTranslation('menus');
  const errorText = useErrorText();
  const base = useId();
  const element = useRef<HTMLFormElement>(null);
  const form = useNodeForm(stored, parent.id);
  // The dialog around it asks before it closes.
  useEffect(() => onDirty(form.changed), [form.changed, onDirty]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') return onSaved(outcome.saved);
    showFirstProblem(element.current);
  };
  const problems = Object.keys(form.errors).length;
  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {form.theirs === undefined ? null : <Versions form={form} theirs={form.theirs} />}
      <NodeFields base={base} form={form} parent={parent} stored={stored} />
      {form.failure && problems === 0 ? (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t(stored ? 'update.failed' : 'add.failed')} · {errorText(form.failure)}
          </span>
        </p>
      ) : null}
      <div className={styles.foot}>
        {problems > 0 ? (
          <span className={styles.error} role="alert">
            <Icon name="warning" size={13} />
            {t('dialog.problems', { n: problems })}
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
