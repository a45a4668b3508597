import { Button, InputNumber, Modal } from 'antd';
import { useId, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf } from '../../../../../catalogue/lighting/zone.ts';
import { getHistoryStorage, retentionBounds, updateHistoryStorage } from '../../../../../contract/history/history.ts';
import { useSend } from '../../../api/index.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { Field, showFirstProblem } from '../../../parts/form/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import {
  lostBy,
  problemsOf,
  retentionFields,
  type Lost,
  type Retention,
  type RetentionField,
  type Rule,
  type Storage,
  type Typed,
} from './retention.ts';
import { useAmounts } from './words.ts';
import styles from './storage.module.css';

/** How long readings and hours are kept. What a shorter time takes away is named before it is saved. */
export function RetentionForm({ storage, onReload }: { storage: Storage; onReload: () => void }) {
  const { t } = useTranslation('storage');
  const errorText = useErrorText();
  const base = useId();
  const form = useRef<HTMLFormElement>(null);
  // What was read when the typing began: what somebody else saves meanwhile is not overwritten.
  const [held, setHeld] = useState<Retention | null>(null);
  const [typed, setTyped] = useState<Typed>(storage.retention);
  const [rules, setRules] = useState<Partial<Record<RetentionField, Rule>>>({});
  const [asked, setAsked] = useState<{ next: Retention; lost: readonly Lost[] } | null>(null);
  const send = useSend(updateHistoryStorage, [getHistoryStorage], { quiet: true });
  const before = held ?? storage.retention;
  const values = held === null ? storage.retention : typed;
  const dirty = held !== null && retentionFields.some((field) => values[field] !== before[field]);
  useUnsaved(dirty);
  const undo = (): void => {
    setHeld(null);
    setRules({});
    send.reset();
  };
  const save = async (next: Retention): Promise<void> => {
    setAsked(null);
    try {
      await send.mutateAsync({ body: { ...next, before } });
      undo();
      toast.done(t('saved'));
    } catch {
      // Told beside the buttons.
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = problemsOf(values);
    setRules(found);
    if (Object.keys(found).length > 0) {
      if (form.current) showFirstProblem(form.current);
      return;
    }
    const next: Retention = { rawDays: values.rawDays ?? 0, hourYears: values.hourYears ?? 0 };
    const lost = lostBy(next, storage, dayOf(Date.now(), 'UTC'));
    if (lost.length > 0) setAsked({ next, lost });
    else void save(next);
  };
  const refused = new Map(send.error?.problem?.params?.map(({ field, message }) => [field, message]));
  const said = (field: RetentionField): string | undefined => {
    const rule = rules[field];
    return rule === undefined
      ? refused.get(field)
      : t(`rule.${rule}`, { least: retentionBounds[field].least, most: retentionBounds[field].most });
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        {retentionFields.map((field) => (
          <Field
            key={field}
            id={`${base}-${field}`}
            label={t(`field.${field}`)}
            required
            hint={t(`field.${field}.hint`, retentionBounds[field])}
            problem={said(field)}
          >
            {(tie) => (
              <InputNumber
                {...tie}
                className={styles.input ?? ''}
                value={values[field]}
                disabled={inPreview() || send.isPending}
                suffix={t(`unit.${field}`)}
                onChange={(value) => {
                  setHeld(before);
                  setTyped({ ...values, [field]: value });
                  setRules({ ...rules, [field]: undefined });
                }}
              />
            )}
          </Field>
        ))}
      </div>
      {send.error && refused.size === 0 ? (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t('failed')} · {errorText(send.error)}
            {send.error.status === 409 ? (
              <Button
                size="small"
                onClick={() => {
                  undo();
                  onReload();
                }}
              >
                {t('reload')}
              </Button>
            ) : null}
          </span>
        </p>
      ) : null}
      <div className={styles.foot}>
        <Button disabled={!dirty || send.isPending} onClick={undo}>
          {t('undo')}
        </Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={send.isPending}
          disabled={!dirty || send.isPending || inPreview()}
        >
          {t('save')}
        </Button>
      </div>
      <Confirm asked={asked} onAgree={(next) => void save(next)} onClose={() => setAsked(null)} />
    </form>
  );
}

function Confirm({
  asked,
  onAgree,
  onClose,
}: {
  asked: { next: Retention; lost: readonly Lost[] } | null;
  onAgree: (next: Retention) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('storage');
  const { size, rows, days } = useAmounts();
  return (
    <Modal
      open={asked !== null}
      title={t('confirm')}
      okText={t('confirm.ok')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true }}
      onOk={() => {
        if (asked) onAgree(asked.next);
      }}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>{t('confirm.text')}</p>
      <ul className={styles.lost}>
        {asked?.lost.map((one) => (
          <li key={one.part}>
            <b>{t(`part.${one.part}`)}</b>{' '}
            {t('confirm.lost', { days: days(one.from, one.to), size: size(one.bytes), rows: rows(one.rows) })}
          </li>
        ))}
      </ul>
      <p>{t('confirm.final')}</p>
    </Modal>
  );
}
