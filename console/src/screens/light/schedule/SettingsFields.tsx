import { Segmented } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { planModes, type PlanMode } from '../../../../../catalogue/lighting/plan/programme.ts';
import {
  lightControls,
  rangesOf,
  scheduleLimits,
  type LightControl,
  type Schedule,
} from '../../../../../catalogue/lighting/plan/schedule.ts';
import { ClockInput } from '../../../parts/plan/ClockInput.tsx';
import { NumberInput } from '../../../parts/plan/NumberInput.tsx';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { RangeTable } from './RangeTable.tsx';
import type { ScheduleForm } from './use-schedule-form.ts';
import styles from './schedule.module.css';

type NumberName = keyof typeof scheduleLimits;

/** The settings, each under the name that operators know it by; what the mode does not use is left out. */
export function SettingsFields({ form }: { form: ScheduleForm }) {
  const { t } = useTranslation('schedule');
  const { schedule, problems, setSchedule } = form;
  const id = useId();
  const isManual = schedule.workMode === 'manual';
  const isLight = !isManual && schedule.control === 'light';
  const put = (change: Partial<Schedule>): void => setSchedule(fitted({ ...schedule, ...change }));
  const numbers: readonly NumberName[] = [
    'sunsetDelayMinutes',
    'sunriseDelayMinutes',
    ...(isLight ? (['onDelayMinutes', 'offDelayMinutes', 'sensitivity', 'lux'] as const) : []),
  ];
  return (
    <div className={styles.settings}>
      <Choice<PlanMode>
        label={t('workMode')}
        value={schedule.workMode}
        options={planModes.map((value) => ({ value, label: t(`workMode.${value}`) }))}
        problem={problems['schedule.workMode']}
        onChange={(workMode) => put({ workMode })}
      />
      <div className={formStyles.grid}>
        {isManual
          ? (['startTime', 'endTime'] as const).map((name) => (
              <Field
                key={name}
                id={`${id}-${name}`}
                label={t(name)}
                required
                problem={problems[`schedule.${name}`]}
                hint={t(`${name}.hint`)}
              >
                {(tie) => (
                  <ClockInput
                    tie={tie}
                    value={schedule[name]}
                    disabled={false}
                    onChange={(value) => put({ [name]: value })}
                  />
                )}
              </Field>
            ))
          : null}
      </div>
      {isManual ? null : (
        <>
          <Choice<LightControl>
            label={t('control')}
            value={schedule.control}
            options={lightControls.map((value) => ({ value, label: t(`control.${value}`) }))}
            hint={t(`control.${schedule.control}.hint`)}
            problem={problems['schedule.control']}
            onChange={(control) => put({ control })}
          />
          <div className={formStyles.grid}>
            {numbers.map((name) => (
              <Field
                key={name}
                id={`${id}-${name}`}
                label={t(name)}
                required
                problem={problems[`schedule.${name}`]}
                hint={t('range', { min: scheduleLimits[name].min, max: scheduleLimits[name].max })}
              >
                {(tie) => (
                  <NumberInput
                    tie={tie}
                    limit={scheduleLimits[name]}
                    value={schedule[name]}
                    disabled={false}
                    onChange={(value) => put({ [name]: value })}
                  />
                )}
              </Field>
            ))}
          </div>
        </>
      )}
      <RangeTable
        schedule={schedule}
        problemOf={(path) => problems[`schedule.${path}`]}
        onChange={(ranges) => put({ ranges })}
      />
    </div>
  );
}

/** What a mode cannot have is taken out, so that choosing one is no error. */
function fitted(schedule: Schedule): Schedule {
  const alternates = schedule.workMode === 'alternateOne' || schedule.workMode === 'alternateTwo';
  const ranges = schedule.ranges.slice(0, Math.max(1, rangesOf(schedule).max));
  const changed = alternates ? ranges : ranges.map((range) => ({ ...range, alternate: false }));
  // Choosing to alternate does so at once; later it is the operator's.
  const none = alternates && !changed.some(({ alternate }) => alternate);
  return {
    ...schedule,
    ranges: none ? changed.map((range, at) => ({ ...range, alternate: at === changed.length - 1 })) : changed,
  };
}

function Choice<Value extends string>({
  label,
  value,
  options,
  hint,
  problem,
  onChange,
}: {
  label: string;
  value: Value;
  options: { value: Value; label: string }[];
  hint?: string;
  problem: string | undefined;
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <span id={id}>{label}</span>
      <Segmented<Value> value={value} aria-labelledby={id} options={options} onChange={onChange} />
      {problem === undefined && hint === undefined ? null : (
        <small data-wrong={problem === undefined ? undefined : true}>{problem ?? hint}</small>
      )}
    </div>
  );
}
