import { Input, InputNumber, Modal, Segmented } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exceptionOperations, type ExceptionOperation } from '../../../../../catalogue/lighting/plan/exceptions.ts';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import {
  createException,
  exceptionBounds,
  listExceptions,
  previewException,
} from '../../../../../contract/light/exceptions.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import { PlacePicker, type Place } from '../../../parts/commands/PlacePicker.tsx';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import { Field } from '../../../parts/form/index.ts';
import { Alert, instantOf, Refusal, toast, useZone } from '../../../parts/index.ts';
import { DayRangePicker } from '../../../parts/search-fields/DayRangePicker.tsx';
import styles from './exceptions.module.css';

type Kind = 'days' | 'instants';
type Preview = ReplyOf<typeof previewException>;
const kinds: readonly Kind[] = ['days', 'instants'];

/** Another light for some lighting days or hours: which lamps, when, how much, and why; first what it would do. */
export function ExceptionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('exceptions');
  const id = useId();
  const zone = useZone();
  const [place, setPlace] = useState<Place>({ by: 'roadId', id: null });
  const [kind, setKind] = useState<Kind>('days');
  const [range, setRange] = useState<{ from?: string; to?: string }>({});
  const [op, setOp] = useState<ExceptionOperation>('set');
  const [level, setLevel] = useState<number | null>(100);
  const [reason, setReason] = useState('');
  /** What was looked at; other entries have to be looked at again. */
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview } | null>(null);
  const look = useSend(previewException, [], { quiet: true });
  const create = useSend(createException, [listExceptions], { quiet: true });
  const requests = useRequestIds();
  const asked = askedOf({ place, kind, range, op, level }, zone);
  const isSeen = seen !== null && seen.of === JSON.stringify(asked);
  const error = create.error ?? look.error;
  const problems = error instanceof ApiError ? error.fieldErrors : {};
  const send = async (): Promise<void> => {
    if (asked === null) return;
    if (!isSeen) {
      create.reset();
      const preview = await look.mutateAsync({ body: asked }).catch(() => null);
      if (preview) setSeen({ of: JSON.stringify(asked), preview });
      return;
    }
    const body = { ...asked, reason };
    const made = await create.mutateAsync({ body: { ...body, requestId: requests.of(body) } }).catch(() => null);
    if (!made) return;
    toast.done(t(made.state === 'awaitingApproval' ? 'done.waits' : 'done.made'));
    onClose();
  };
  return (
    <Modal
      open
      title={t('add')}
      okText={isSeen ? t('make') : t('look')}
      cancelText={t('back')}
      okButtonProps={{ disabled: asked === null, loading: look.isPending || create.isPending }}
      onOk={() => void send()}
      onCancel={onClose}
      width={560}
      destroyOnHidden
    >
      <div className={styles.dialog}>
        <PlacePicker value={place} onChange={setPlace} />
        <Segmented<Kind>
          value={kind}
          onChange={(next) => {
            setKind(next);
            setRange({});
          }}
          aria-label={t('field.when')}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <Field
          id={`${id}-when`}
          label={t('field.when')}
          required
          hint={t(`kind.${kind}.hint`)}
          problem={problems['fromDay'] ?? problems['toDay'] ?? problems['from'] ?? problems['to']}
        >
          {({ id: tied }) => (
            <DayRangePicker
              id={tied ?? id}
              label={t('field.when')}
              value={range}
              onChange={setRange}
              clock={kind === 'instants'}
            />
          )}
        </Field>
        <Segmented<ExceptionOperation>
          value={op}
          onChange={setOp}
          aria-label={t('field.effect')}
          options={exceptionOperations.map((value) => ({ value, label: t(`op.${value}`) }))}
        />
        <Field id={`${id}-level`} label={t('field.level')} required problem={problems['level']}>
          {(tie) => (
            <InputNumber<number>
              {...tie}
              value={level}
              onChange={setLevel}
              min={planLimits.level.min}
              max={planLimits.level.max}
              precision={0}
              suffix="%"
            />
          )}
        </Field>
        <Field id={`${id}-reason`} label={t('field.reason')} required problem={problems['reason']}>
          {(tie) => (
            <Input
              {...tie}
              value={reason}
              maxLength={exceptionBounds.reason.max}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {isSeen ? <Effects preview={seen.preview} /> : null}
        {error ? <Refusal error={error} /> : null}
      </div>
    </Modal>
  );
}

/** What the exception would do. */
function Effects({ preview }: { preview: Preview }) {
  const { t } = useTranslation('exceptions');
  const { lamps, darkens, needsSecond, cannot, belowFloor } = preview;
  return (
    <Alert kind="note" title={t('effects', { n: lamps })}>
      {darkens > 0 ? <p>{t('effects.darkens', { n: darkens })}</p> : null}
      {needsSecond ? <p>{t('effects.second')}</p> : null}
      {cannot.map(({ reason, count }) => (
        <p key={reason}>{t(`cannot.${reason}`, { n: count })}</p>
      ))}
      {belowFloor.map((one) => (
        <p key={one.roadClass}>{t('effects.floor', { n: one.lamps, floor: one.floor })}</p>
      ))}
    </Alert>
  );
}

interface Entries {
  readonly place: Place;
  readonly kind: Kind;
  readonly range: { readonly from?: string; readonly to?: string };
  readonly op: ExceptionOperation;
  readonly level: number | null;
}
/** The body of the call; null: something is not filled in. */
function askedOf({ place, kind, range, op, level }: Entries, zone: string): BodyOf<typeof previewException> | null {
  const { from, to } = range;
  if (place.id === null || from === undefined || to === undefined || level === null) return null;
  const when =
    kind === 'days' ? { fromDay: from, toDay: to } : { from: instantOf(from, zone), to: instantOf(to, zone) };
  const one = place.id;
  const scope =
    place.by === 'workAreaId'
      ? { workAreaId: one }
      : place.by === 'roadId'
        ? { roadIds: [one] }
        : place.by === 'groupId'
          ? { groupIds: [one] }
          : { controllerIds: [one] };
  return { scope, ...when, op, level };
}
