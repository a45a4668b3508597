import { Button, Drawer, Input, InputNumber, Select } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../../../catalogue/families/index.ts';
import { referenceFace } from '../../../fields/reference-face.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { Field, FirstFocus, formStyles, showFirstProblem } from '../../../parts/form/index.ts';
import { useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Secret } from './BatchSecret.tsx';
import type { Batch } from './newcomer.ts';
import { useBatchForm, type BatchFormState } from './use-batch-form.ts';
import styles from './inbox.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

const reporting = families.filter((family) => family.report !== null);
const workField = families[0]?.field.get('workId');
const mostDevices = 10_000;

interface Props {
  id: number | 'new' | null;
  batches: readonly Batch[];
  onClose: () => void;
  onCreated: (secret: Secret) => void;
}
interface Opened {
  readonly round: number;
  readonly of: Props['id'];
  readonly stored: Batch | null;
}

/** What the form was opened for, as it was then: what somebody else does to it meanwhile is told when it is saved. */
function useOpened(id: Props['id'], batches: readonly Batch[]): Opened {
  const [opened, setOpened] = useState<Opened>({ round: 0, of: null, stored: null });
  const stored = batches.find((one) => one.id === id) ?? null;
  if (id !== opened.of)
    setOpened({
      round: id === null ? opened.round : opened.round + 1,
      of: id,
      stored: id === null ? opened.stored : stored,
    });
  // An address may name it before the list is there.
  else if (typeof id === 'number' && opened.stored === null && stored) setOpened({ ...opened, stored });
  return opened;
}

/** A batch: what may come, where to, how many, until when. Closing it with unsaved input asks first. */
export function BatchForm({ id, batches, onClose, onCreated }: Props) {
  const { t } = useTranslation('provisioning');
  const { round, stored } = useOpened(id, batches);
  const open = id === 'new' || (id !== null && stored !== null);
  const title = stored ? t('batch.edit.title', { name: stored.name }) : t('batch.new');
  const { setTyped, guard } = useTypedInput(open, title);
  const close = (): void => guard(onClose);
  return (
    <Drawer open={open} onClose={close} size="min(480px, 100vw)" title={title} destroyOnHidden>
      <Form
        key={round}
        stored={stored}
        onTyped={setTyped}
        onCancel={close}
        onSaved={(secret) => (secret ? onCreated(secret) : onClose())}
      />
    </Drawer>
  );
}

interface FormProps {
  stored: Batch | null;
  onTyped: (typed: boolean) => void;
  onCancel: () => void;
  onSaved: (secret: Secret | null) => void;
}

function Form({ stored, onTyped, onCancel, onSaved }: FormProps) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = useBatchForm(stored);
  // The drawer around it asks before it closes.
  useEffect(() => onTyped(form.changed), [form.changed, onTyped]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') return onSaved(outcome.saved);
    showFirstProblem(element.current);
  };
  return (
    <form ref={element} className={styles.batchForm} onSubmit={(event) => void submit(event)} noValidate>
      {form.theirs ? (
        <div className={formStyles.versions} role="alert">
          <b>{words('form.conflict')}</b>
          <p>{words('form.conflict.text')}</p>
          <Button onClick={form.takeNewest}>{words('form.conflict.load')}</Button>
        </div>
      ) : null}
      <Fields form={form} stored={stored} />
      {form.failure && Object.keys(form.problems).length === 0 ? (
        <p role="alert" className={styles.failed}>
          {errorText(form.failure)}
        </p>
      ) : null}
      <div className={styles.keep}>
        <Button onClick={onCancel}>{words('form.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={form.busy} disabled={inPreview() || Boolean(form.theirs)}>
          {stored ? words('form.save') : t('batch.create')}
        </Button>
      </div>
    </form>
  );
}

function Fields({ form: { values, problems, set }, stored }: { form: BatchFormState; stored: Batch | null }) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const names = useNames();
  const base = useId();
  const said = (field: keyof typeof problems): string | undefined => {
    const problem = problems[field];
    return problem === undefined ? undefined : problem === 'required' ? words('form.required') : problem.message;
  };
  const { Input: WorkInput } = referenceFace;
  return (
    <>
      <Field id={`${base}-name`} label={t('batch.name')} required hint={t('batch.nameHint')} problem={said('name')}>
        {(tie) => (
          <FirstFocus>
            <Input {...tie} value={values.name} maxLength={60} onChange={(event) => set('name', event.target.value)} />
          </FirstFocus>
        )}
      </Field>
      <Field id={`${base}-work`} label={t('batch.work')} required hint={t('batch.workHint')} problem={said('workId')}>
        {(tie) =>
          stored ? (
            <Input {...tie} value={stored.workName} disabled />
          ) : workField?.kind === 'reference' ? (
            <WorkInput
              field={workField}
              id={tie.id}
              value={values.workId}
              onChange={(value) => set('workId', typeof value === 'number' ? value : null)}
              invalid={tie['aria-invalid'] === true}
              describedBy={undefined}
              around={{ owner: 'batch', workId: null, labels: {}, secrets: [] }}
            />
          ) : null
        }
      </Field>
      <Field
        id={`${base}-families`}
        label={t('batch.families')}
        hint={t('batch.familiesHint')}
        problem={said('families')}
      >
        {(tie) => (
          <Select
            {...tie}
            mode="multiple"
            value={[...values.families]}
            placeholder={t('batch.allFamilies')}
            showSearch={{ optionFilterProp: 'label' }}
            options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))}
            onChange={(next: string[]) => set('families', next)}
          />
        )}
      </Field>
      <Field
        id={`${base}-max`}
        label={t('batch.maxDevices')}
        required
        hint={t('batch.maxHint')}
        problem={said('maxDevices')}
      >
        {(tie) => (
          <InputNumber
            {...tie}
            min={1}
            max={mostDevices}
            precision={0}
            value={values.maxDevices}
            onChange={(next) => set('maxDevices', next)}
          />
        )}
      </Field>
      <Field
        id={`${base}-expires`}
        label={t('batch.expiresAt')}
        hint={t('batch.expiresHint')}
        problem={said('expiresAt')}
      >
        {(tie) => (
          <DatePicker
            {...tie}
            value={values.expiresAt === null ? null : dayjs(values.expiresAt)}
            placeholder={t('batch.never')}
            minDate={dayjs()}
            onChange={(day) => set('expiresAt', day?.endOf('day').toISOString() ?? null)}
          />
        )}
      </Field>
    </>
  );
}
