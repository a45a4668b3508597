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
import { PlaceOrMap } from '../../../parts/choose-lamps/PlaceOrMap.tsx';
import { usePlace, type Place } from '../../../parts/commands/PlacePicker.tsx';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import { useExceptionWords } from '../../../parts/exceptions/words.ts';
import { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { dialogStyles, Field } from '../../../parts/form/index.ts';
import { Alert, instantOf, Refusal, toast, useZone } from '../../../parts/index.ts';
import { DayRangePicker } from '../../../parts/search-fields/DayRangePicker.tsx';
import { noProgramme, ProgrammeFields, type ChosenProgramme } from './ProgrammeFields.tsx';

type Kind = 'days' | 'instants';
/** On the planned level, or a programme instead of it. */
type Effect = ExceptionOperation | 'programme';
type Preview = ReplyOf<typeof previewException>;
const kinds: readonly Kind[] = ['days', 'instants'];

/** Another light for some lighting days or hours: which lamps, when, how much, and why; first what it would do. */
export function ExceptionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('exceptions');
  const id = useId();
  const zone = useZone();
  const [place, setPlace] = usePlace();
  const [lamps, setLamps] = useState<readonly number[]>([]);
  const [kind, setKind] = useState<Kind>('days');
  const [range, setRange] = useState<{ from?: string; to?: string }>({});
  const [op, setOp] = useState<Effect>('set');
  const [level, setLevel] = useState<number | null>(100);
  const [programme, setProgramme] = useState(noProgramme);
  const [reason, setReason] = useState('');
  /** What was looked at; other entries have to be looked at again. */
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview } | null>(null);
  const look = useSend(previewException, [], { quiet: true });
  const create = useSend(createException, [listExceptions], { quiet: true });
  const requests = useRequestIds();
  const asked = askedOf({ place, lamps, kind, range, op, level, programme }, zone);
  const isSeen = seen !== null && seen.of === JSON.stringify(asked);
  const error = create.error ?? look.error;
  const problems = error instanceof ApiError ? error.fieldErrors : {};
  const { setTyped, guard } = useTypedInput(true, t('add'));
  /** What was entered is asked about before it is lost. */
  const enter = <T,>(put: (value: T) => void) => {
    return (value: T): void => {
      put(value);
      setTyped(true);
    };
  };
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
      onCancel={() => guard(onClose)}
      width={560}
      destroyOnHidden
    >
      <div className={dialogStyles.dialog}>
        <PlaceOrMap place={place} onPlace={enter(setPlace)} lamps={lamps} onLamps={enter(setLamps)} />
        <Segmented<Kind>
          value={kind}
          onChange={(next) => {
            setKind(next);
            setRange({});
            // A programme is one of whole nights.
            if (next === 'instants' && op === 'programme') setOp('set');
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
              onChange={enter(setRange)}
              clock={kind === 'instants'}
            />
          )}
        </Field>
        <Segmented<Effect>
          value={op}
          onChange={enter(setOp)}
          aria-label={t('field.effect')}
          options={[...exceptionOperations, ...(kind === 'days' ? (['programme'] as const) : [])].map((value) => ({
            value,
            label: t(`op.${value}`),
          }))}
        />
        {op === 'programme' ? (
          <ProgrammeFields value={programme} onChange={enter(setProgramme)} problems={problems} />
        ) : (
          <Field id={`${id}-level`} label={t('field.level')} required problem={problems['level']}>
            {(tie) => (
              <InputNumber<number>
                {...tie}
                value={level}
                onChange={enter(setLevel)}
                min={planLimits.level.min}
                max={planLimits.level.max}
                precision={0}
                suffix="%"
              />
            )}
          </Field>
        )}
        <Field id={`${id}-reason`} label={t('field.reason')} required problem={problems['reason']}>
          {(tie) => (
            <Input
              {...tie}
              value={reason}
              maxLength={exceptionBounds.reason.max}
              onChange={(event) => enter(setReason)(event.target.value)}
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
  const { number } = useExceptionWords();
  const { lamps, darkens, needsSecond, cannot, belowFloor } = preview;
  return (
    <Alert kind="note" title={t('effects', { n: number(lamps) })}>
      {darkens > 0 ? <p>{t('effects.darkens', { n: number(darkens) })}</p> : null}
      {needsSecond ? <p>{t('effects.second')}</p> : null}
      {cannot.map(({ reason, count }) => (
        <p key={reason}>{t(`cannot.${reason}`, { n: number(count) })}</p>
      ))}
      {belowFloor.map((one) => (
        <p key={one.roadClass}>{t('effects.floor', { n: number(one.lamps), floor: one.floor })}</p>
      ))}
    </Alert>
  );
}

interface Entries {
  readonly place: Place;
  /** Chosen on the map, instead of the place. */
  readonly lamps: readonly number[];
  readonly kind: Kind;
  readonly range: { readonly from?: string; readonly to?: string };
  readonly op: Effect;
  readonly level: number | null;
  readonly programme: ChosenProgramme;
}
/** The body of the call; null: something is not filled in. */
function askedOf(
  { place, lamps, kind, range, ...entries }: Entries,
  zone: string,
): BodyOf<typeof previewException> | null {
  const { from, to } = range;
  const light = lightOf(entries);
  const scope = scopeOf(place, lamps);
  if (scope === null || from === undefined || to === undefined || light === null) return null;
  const when =
    kind === 'days' ? { fromDay: from, toDay: to } : { from: instantOf(from, zone), to: instantOf(to, zone) };
  return { scope, ...when, ...light };
}

function scopeOf({ by, id }: Place, lamps: readonly number[]): BodyOf<typeof previewException>['scope'] | null {
  if (lamps.length > 0) return { deviceIds: [...lamps] };
  if (id === null) return null;
  if (by === 'workAreaId') return { workAreaId: id };
  return by === 'roadId' ? { roadIds: [id] } : by === 'groupId' ? { groupIds: [id] } : { controllerIds: [id] };
}

function lightOf({
  op,
  level,
  programme: { schemeId, schemeNumber, programme },
}: Pick<Entries, 'op' | 'level' | 'programme'>) {
  if (op !== 'programme') return level === null ? null : { op, level };
  return schemeId === null || schemeNumber === null || programme === null
    ? null
    : { schemeId, schemeNumber, programme };
}
