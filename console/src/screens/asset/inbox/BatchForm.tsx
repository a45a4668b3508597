import { Button, DatePicker, Drawer, Input, InputNumber, Select } from 'antd';
import dayjs from 'dayjs';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../../../catalogue/families/index.ts';
import { createBatch, listBatches, updateBatch } from '../../../../../contract/routes/provisioning.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import { referenceFace } from '../../../fields/reference.tsx';
import { useNames } from '../../../parts/catalogue-names.ts';
import { Field } from '../../../parts/form/Field.tsx';
import { useErrorText } from '../../../parts/index.ts';
import { inPreview, storedWorkId } from '../../../session/index.ts';
import type { Secret } from './BatchSecret.tsx';
import type { Batch } from './newcomer.ts';
import styles from './inbox.module.css';

const reporting = families.filter((family) => family.report !== null);
const workField = families[0]?.field.get('workId');
const mostDevices = 10_000;

interface Props { open: boolean; one: Batch | null; onClose: () => void; onCreated: (secret: Secret) => void }

/** A batch: what may come, where to, how many, until when. */
export function BatchForm({ open, one, onClose, onCreated }: Props) {
  const { t } = useTranslation('provisioning');
  return (
    <Drawer open={open} onClose={onClose} size="min(480px, 100vw)" title={one ? t('batch.edit.title', { name: one.name }) : t('batch.new')} destroyOnHidden>
      <Form key={one?.id ?? 'new'} one={one} onClose={onClose} onCreated={onCreated} />
    </Drawer>
  );
}

interface Draft { readonly name: string; readonly workId: number | null; readonly families: readonly string[]; readonly maxDevices: number | null; readonly expiresAt: string | null }

function Form({ one, onClose, onCreated }: Omit<Props, 'open'>) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const names = useNames();
  const errorText = useErrorText();
  const base = useId();
  const [draft, setDraft] = useState<Draft>(() => ({ name: one?.name ?? '', workId: one?.workId ?? (Number(storedWorkId()) || null), families: one?.families ?? [], maxDevices: one?.maxDevices ?? 100, expiresAt: one?.expiresAt ?? null }));
  const [tried, setTried] = useState(false);
  const create = useSend(createBatch, [listBatches], { quiet: true });
  const update = useSend(updateBatch, [listBatches], { quiet: true });
  const change = (next: Partial<Draft>): void => setDraft((before) => ({ ...before, ...next }));
  const failure = create.error ?? update.error;
  const told = failure instanceof ApiError ? failure.fieldErrors : {};
  const missing = (empty: boolean): string | undefined => (tried && empty ? words('form.required') : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const { workId, maxDevices, families: chosen, expiresAt } = draft;
    const name = draft.name.trim();
    if (name === '' || workId === null || maxDevices === null) return;
    const body = { name, maxDevices, families: [...chosen], expiresAt };
    if (one) update.mutate({ params: { id: one.id }, body: { ...body, version: one.version } }, { onSuccess: onClose });
    else create.mutate({ body: { ...body, workId } }, { onSuccess: ({ batch, credentials }) => onCreated({ batchId: batch.id, name: batch.name, credentials }) });
  };
  const { Input: WorkInput } = referenceFace;
  return (
    <form className={styles.batchForm} onSubmit={submit} noValidate>
      <Field id={`${base}-name`} label={t('batch.name')} required hint={t('batch.nameHint')} problem={told['name'] ?? missing(draft.name.trim() === '')}>
        {(tie) => <Input {...tie} value={draft.name} maxLength={60} autoFocus onChange={(event) => change({ name: event.target.value })} />}
      </Field>
      <Field id={`${base}-work`} label={t('batch.work')} required hint={t('batch.workHint')} problem={told['workId'] ?? missing(draft.workId === null)}>
        {(tie) => (one ? <Input {...tie} value={one.workName} disabled /> : workField?.kind === 'reference' ? (
          <WorkInput field={workField} id={tie.id} value={draft.workId} onChange={(value) => change({ workId: typeof value === 'number' ? value : null })} invalid={tie['aria-invalid'] === true} describedBy={undefined} around={{ owner: 'batch', workId: null, labels: {}, secrets: [] }} />
        ) : null)}
      </Field>
      <Field id={`${base}-families`} label={t('batch.families')} hint={t('batch.familiesHint')} problem={told['families']}>
        {(tie) => <Select {...tie} mode="multiple" value={[...draft.families]} placeholder={t('batch.allFamilies')} showSearch={{ optionFilterProp: 'label' }} options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))} onChange={(next: string[]) => change({ families: next })} />}
      </Field>
      <Field id={`${base}-max`} label={t('batch.maxDevices')} required hint={t('batch.maxHint')} problem={told['maxDevices'] ?? missing(draft.maxDevices === null)}>
        {(tie) => <InputNumber {...tie} min={1} max={mostDevices} precision={0} value={draft.maxDevices} onChange={(next) => change({ maxDevices: next })} />}
      </Field>
      <Field id={`${base}-expires`} label={t('batch.expiresAt')} hint={t('batch.expiresHint')} problem={told['expiresAt']}>
        {(tie) => <DatePicker {...tie} value={draft.expiresAt === null ? null : dayjs(draft.expiresAt)} placeholder={t('batch.never')} minDate={dayjs()} onChange={(day) => change({ expiresAt: day?.endOf('day').toISOString() ?? null })} />}
      </Field>
      {failure && Object.keys(told).length === 0 ? <p role="alert" className={styles.failed}>{errorText(failure)}</p> : null}
      <div className={styles.keep}>
        <Button onClick={onClose}>{words('form.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={create.isPending || update.isPending} disabled={inPreview()}>{one ? words('form.save') : t('batch.create')}</Button>
      </div>
    </form>
  );
}
