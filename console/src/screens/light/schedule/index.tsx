import { Button, Input } from 'antd';
import { useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import {
  programmeOfSchedule,
  scheduleOfProgramme,
  usualSchedule,
  type Schedule,
} from '../../../../../catalogue/lighting/plan/schedule.ts';
import { lightingDay, type SunPlace } from '../../../../../catalogue/lighting/sun.ts';
import { publicationBounds } from '../../../../../contract/light/publications.ts';
import { getLampSchedule } from '../../../../../contract/light/schedules.ts';
import { useCall } from '../../../api/index.ts';
import { useOpen, usePermission, useTab, useTabTitle } from '../../../frame/index.ts';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { Alert, Card, ErrorState, formatNumber, Icon, Page, PageBar, Refusal, Skeleton } from '../../../parts/index.ts';
import { PlaceOrMap } from '../../../parts/choose-lamps/PlaceOrMap.tsx';
import { usePlace as useChosenPlace, type Place } from '../../../parts/commands/PlacePicker.tsx';
import { useAddress } from '../../../parts/page/use-address.ts';
import { nightOf, sceneOf } from '../../../parts/plan/model.ts';
import { MovedSun } from '../../../parts/plan/MovedSun.tsx';
import { NightRibbon } from '../../../parts/plan/NightRibbon.tsx';
import { PlanSentence } from '../../../parts/plan/PlanSentence.tsx';
import { usePlace } from '../../../parts/plan/use-place.ts';
import { inPreview } from '../../../session/index.ts';
import { Coordinates } from './Coordinates.tsx';
import { Effects } from './Effects.tsx';
import { withDrawn } from './fit.ts';
import { PlanNight } from './PlanNight.tsx';
import { SettingsFields } from './SettingsFields.tsx';
import { TimeTable } from './TimeTable.tsx';
import { useScheduleForm, type Scope, type ScheduleForm } from './use-schedule-form.ts';
import styles from './schedule.module.css';

const wholeNumber = (text: string | null): number[] =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : [];

/** Schedule settings of one lamp, of those that were selected, or of a road, group, box or area. */
export default function ScheduleSettings() {
  const { handOver } = useTab<{ readonly deviceIds?: readonly number[] }>();
  const [params] = useAddress();
  // What the address names is what is shown and saved; a selection is in no address.
  const named = wholeNumber(params.get('lamp'));
  const deviceIds = named.length > 0 ? named : (handOver?.deviceIds ?? []);
  return <SettingsOf key={JSON.stringify(deviceIds)} deviceIds={deviceIds} />;
}

function SettingsOf({ deviceIds }: { deviceIds: readonly number[] }) {
  const { t } = useTranslation('schedule');
  const open = useOpen();
  const [place, setPlace] = useChosenPlace();
  const [lamps, setLamps] = useState<readonly number[]>([]);
  const scope = useMemo(() => scopeOf(deviceIds.length > 0 ? deviceIds : lamps, place), [deviceIds, lamps, place]);
  const [first] = deviceIds;
  const lamp = useCall(getLampSchedule, { params: { id: first ?? 0 } }, { enabled: first !== undefined, staleTime: 0 });
  const [started, setStarted] = useState<typeof lamp.data>();
  // The form begins with what is in force now, and is not taken from under who is editing it.
  if (started === undefined && lamp.isFetchedAfterMount && !lamp.error && lamp.data) setStarted(lamp.data);
  const area = usePlace();
  useTabTitle(t('menu'));
  const own = lamp.data?.place;
  const sun: SunPlace = own?.used
    ? { ...own.used, timeZone: own.timeZone, sunOffsetMinutes: own.sunOffsetMinutes }
    : area.place;
  const title = deviceIds.length === 1 && lamp.data ? t('title.lamp', { code: lamp.data.code }) : t('menu');
  const others = (): void => open('lamp/schedule', { handOver: {} });
  if (first !== undefined && started === undefined)
    return (
      <Page>
        <PageBar title={title} />
        <Card title={t('lamps')}>
          <Chosen named={null} count={deviceIds.length} onOthers={others} />
        </Card>
        <Card>
          {lamp.error ? <ErrorState error={lamp.error} onRetry={lamp.refetch} /> : <Skeleton rows={8} height={480} />}
        </Card>
      </Page>
    );
  return (
    <Page>
      <PageBar title={title} note={t('note')} />
      <Settings
        initial={started?.schedule ?? usualSchedule}
        exact={started?.exact ?? true}
        scope={scope}
        sun={sun}
        lamps={{
          named: deviceIds.length === 1 && lamp.data ? `${lamp.data.code} ${lamp.data.name ?? ''}` : null,
          count: deviceIds.length,
          place,
          onPlace: setPlace,
          lamps,
          onLamps: setLamps,
          onOthers: others,
        }}
      />
      <div className={styles.columns}>
        {deviceIds.length === 1 && lamp.data ? (
          <>
            <PlanNight id={lamp.data.id} />
            <TimeTable data={lamp.data} onRefresh={() => void lamp.refetch()} />
          </>
        ) : null}
        <PlaceOf
          key={JSON.stringify(scope)}
          scope={scope}
          current={deviceIds.length === 1 ? (lamp.data?.place ?? null) : null}
        />
      </div>
    </Page>
  );
}

interface LampsProps {
  /** The one lamp by its code and name; null: there are several, or those of a place. */
  named: string | null;
  count: number;
  place: Place;
  onPlace: (place: Place) => void;
  /** Chosen on the map, instead of the place. */
  lamps: readonly number[];
  onLamps: (ids: readonly number[]) => void;
  onOthers: () => void;
}

/** Which lamps are set: those that were chosen before, or those of a road, group, box or area. */
function Lamps({
  named,
  count,
  place,
  onPlace,
  lamps,
  onLamps,
  onOthers,
  problem,
}: LampsProps & { problem: string | undefined }) {
  const { t } = useTranslation('schedule');
  const id = useId();
  return (
    <Card title={t('lamps')}>
      {count > 0 ? (
        <Chosen {...{ named, count, onOthers }} />
      ) : (
        <div className={styles.picker}>
          <PlaceOrMap
            place={place}
            onPlace={onPlace}
            lamps={lamps}
            onLamps={onLamps}
            problem={problem === undefined ? undefined : id}
          />
        </div>
      )}
      {problem === undefined ? null : (
        <p id={id} className={styles.problem} role="alert">
          <Icon name="warning" size={12} />
          {problem}
        </p>
      )}
    </Card>
  );
}

/** The lamps that were chosen before this page, and the way to others. */
function Chosen({ named, count, onOthers }: Pick<LampsProps, 'named' | 'count' | 'onOthers'>) {
  const { t, i18n } = useTranslation('schedule');
  return (
    <p className={styles.chosen}>
      {named ?? t('lamps.chosen', { n: formatNumber(count, i18n.language, 0) })}
      <Button type="link" onClick={onOthers}>
        {t('lamps.other')}
      </Button>
    </p>
  );
}

function PlaceOf(props: Parameters<typeof Coordinates>[0]) {
  const mayEdit = usePermission('device.edit');
  return mayEdit ? <Coordinates {...props} /> : null;
}

function Settings({
  initial,
  exact,
  scope,
  sun,
  lamps,
}: {
  initial: Schedule;
  exact: boolean;
  scope: Scope;
  sun: SunPlace;
  lamps: LampsProps;
}) {
  const { t } = useTranslation('schedule');
  const element = useRef<HTMLFormElement>(null);
  const form = useScheduleForm(initial, scope, element);
  const [day] = useState(() => lightingDay(sun, Date.now()).day);
  const { entered, schedule, isSound, setEntered } = form;
  const programme = useMemo(() => programmeOfSchedule(schedule), [schedule]);
  const scene = useMemo(() => sceneOf(sun, day), [sun, day]);
  const night = useMemo(() => nightOf(programme, sun, day), [programme, sun, day]);
  return (
    <form
      ref={element}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.send();
      }}
    >
      <Lamps {...lamps} problem={form.problems['scope']} />
      <Card title={t('settings')}>
        {exact ? null : (
          <Alert kind="note" title={t('inexact')}>
            {t('inexact.text')}
          </Alert>
        )}
        <div className={styles.drawn}>
          <MovedSun place={sun} day={scene.day} />
          <NightRibbon
            {...{ programme, night, scene, place: sun }}
            {...(isSound
              ? {
                  onChange: (next) =>
                    setEntered(withDrawn(entered, scheduleOfProgramme(next, schedule.workMode).schedule)),
                }
              : {})}
          />
          <PlanSentence programme={programme} night={night} timeZone={sun.timeZone} tonight />
        </div>
        <SettingsFields form={form} />
      </Card>
      <Effects form={form} />
      <Reasons form={form} />
      <Foot form={form} />
    </form>
  );
}

/** Why: where a second person has to agree, or it is darker than the road's class allows. */
function Reasons({ form }: { form: ScheduleForm }) {
  const { t } = useTranslation('schedule');
  const id = useId();
  const { preview, errors, floorReason, reason, problems } = form;
  const isBelow = floorReason !== '' || errors.some(({ code }) => code === 'belowFloor');
  const needed = preview?.needsSecond === true;
  return (
    <Card title={t('why')}>
      <div className={formStyles.grid}>
        {isBelow ? (
          <Field
            id={`${id}-floor`}
            label={t('floorReason')}
            hint={t('floorReason.hint')}
            problem={problems['floorReason']}
          >
            {(tie) => (
              <Input
                {...tie}
                value={floorReason}
                maxLength={planLimits.floorReason.max}
                onChange={(event) => form.setFloorReason(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <Field id={`${id}-reason`} label={t('reason')} required={needed} problem={problems['reason']}>
          {(tie) => (
            <Input
              {...tie}
              value={reason}
              maxLength={publicationBounds.reason}
              aria-required={needed}
              onChange={(event) => form.setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

function Foot({ form }: { form: ScheduleForm }) {
  const { t, i18n } = useTranslation('schedule');
  const open = useOpen();
  const { close } = useTab();
  const { preview, errors, problems, failure, busy } = form;
  const count = Object.keys(problems).length;
  const conflict = failure?.problem?.['id'];
  return (
    <>
      {failure === null || count > 0 ? null : (
        <Refusal error={failure}>
          {typeof conflict === 'number' ? (
            <Button onClick={() => open('lamp/publication', { params: { id: conflict } })}>{t('conflict')}</Button>
          ) : null}
        </Refusal>
      )}
      <div className={formStyles.foot}>
        <Button
          type="primary"
          htmlType="submit"
          loading={busy}
          disabled={busy || inPreview() || errors.length > 0}
          icon={preview === null ? null : <Icon name="upload" size={14} />}
        >
          {preview === null
            ? t('look')
            : t(preview.needsSecond ? 'ok.second' : 'ok', { n: formatNumber(preview.lamps, i18n.language, 0) })}
        </Button>
        <Button type="text" onClick={() => close()}>
          {t('back')}
        </Button>
        <div className={formStyles.says}>
          <span role="status" className={count > 0 ? (formStyles.error ?? '') : ''}>
            {count > 0 ? t('problems', { n: count }) : ''}
          </span>
        </div>
      </div>
    </>
  );
}

/** The lamps that were chosen, else those of the place. */
function scopeOf(deviceIds: readonly number[], { by, id }: Place): Scope {
  if (deviceIds.length > 0) return { deviceIds: [...deviceIds] };
  if (id === null) return {};
  if (by === 'workAreaId') return { workAreaId: id };
  return by === 'roadId' ? { roadIds: [id] } : by === 'groupId' ? { groupIds: [id] } : { controllerIds: [id] };
}
