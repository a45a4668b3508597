import { Input, Modal, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { ApiError, useCall } from '../../api/index.ts';
import { Field, FirstFocus, formStyles } from '../form/index.ts';
import { Alert } from '../notices/Alert.tsx';
import { useErrorText } from '../notices/error-text.ts';

export interface Named {
  readonly code: string;
  readonly name: string;
  readonly workAreaId: number | null;
}

interface Props {
  title: string;
  ok: string;
  /** What stands there first. */
  value: Named;
  /** The work area is chosen with the name, and stays. */
  withArea: boolean;
  onClose: () => void;
  /** Ends well, or throws what the server refused. */
  onSubmit: (named: Named) => Promise<void>;
}

const all = 'all';

/** Code, name and work area of something new, or another name for what exists; all problems at once. */
export function NameDialog({ title, ok, value, withArea, onClose, onSubmit }: Props) {
  const { t } = useTranslation('versioned');
  const errorText = useErrorText();
  const id = useId();
  const areas = useCall(getWorkAreaOptions, {}, { staleTime: 60_000 });
  const [named, setNamed] = useState(value);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { planCode, planName } = planLimits;
  const set = (change: Partial<Named>): void => {
    setNamed({ ...named, ...change });
    setProblems({});
    setFailure(null);
  };
  const problemsOf = (): Record<string, string> => ({
    ...(named.code.trim() === '' ? { code: t('rule.required') } : {}),
    ...(named.name.trim() === ''
      ? { name: t('rule.required') }
      : [...named.name.trim()].length < planName.min
        ? { name: t('rule.length', { min: planName.min, max: planName.max }) }
        : {}),
  });
  const submit = async (): Promise<void> => {
    if (busy) return;
    const found = problemsOf();
    setProblems(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await onSubmit({ ...named, code: named.code.trim(), name: named.name.trim() });
    } catch (cause) {
      setBusy(false);
      const told = cause instanceof ApiError ? cause.fieldErrors : {};
      setProblems(told);
      if (!('code' in told || 'name' in told || 'workAreaId' in told)) setFailure(cause);
    }
  };
  const line = (field: 'code' | 'name', maxLength: number) => {
    const input = (
      <Field id={`${id}-${field}`} label={t(`field.${field}`)} required problem={problems[field]}>
        {(tie) => (
          <Input
            {...tie}
            value={named[field]}
            maxLength={maxLength}
            autoComplete="off"
            spellCheck={false}
            aria-required
            onChange={(event) => set({ [field]: event.target.value })}
            onPressEnter={() => void submit()}
          />
        )}
      </Field>
    );
    return field === 'code' ? <FirstFocus>{input}</FirstFocus> : input;
  };
  return (
    <Modal
      open
      title={title}
      width={440}
      onCancel={onClose}
      onOk={() => void submit()}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: busy }}
    >
      <div className={formStyles.grid} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {line('code', planCode.max)}
        {line('name', planName.max)}
        {withArea ? (
          <Field id={`${id}-area`} label={t('field.area')} problem={problems['workAreaId']} hint={t('field.area.hint')}>
            {(tie) => (
              <Select<number | typeof all>
                {...tie}
                value={named.workAreaId ?? all}
                loading={areas.isPending}
                showSearch={{ optionFilterProp: 'label' }}
                options={[
                  ...(areas.data?.data ?? []).map((area) => ({ value: Number(area.value), label: area.label })),
                  { value: all, label: t('area.all') },
                ]}
                onChange={(next) => set({ workAreaId: next === all ? null : next })}
              />
            )}
          </Field>
        ) : null}
        {failure === null ? null : <Alert title={errorText(failure)} />}
      </div>
    </Modal>
  );
}
