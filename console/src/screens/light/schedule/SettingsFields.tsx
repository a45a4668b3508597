import { Segmented } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { planModes, type PlanMode } from '../../../../../catalogue/lighting/plan/programme.ts';
import {
  lightControls,
  scheduleLimits,
  type LightControl,
  type Schedule,
} from '../../../../../catalogue/lighting/plan/schedule.ts';
import { ClockInput } from '../../../parts/plan/ClockInput.tsx';
import { NumberInput } from '../../../parts/plan/NumberInput.tsx';
import { Field } from '../../../parts/form/index.ts';
import { numbersOf, withMode } from './fit.ts';
import { RangeTable } from './RangeTable.tsx';
import type { ScheduleForm } from './use-schedule-form.ts';
import styles from './schedule.module.css';

/** The settings, each under the name that operators know it by; what the mode does not use is left out. */
export function SettingsFields({ form }: { form: ScheduleForm }) {
  const { t } = useTranslation('schedule');
  const { entered: schedule, problems, setEntered } = form;
  const id = useId();
  const isManual = schedule.workMode === 'manual';
  const put = (change: Partial<Schedule>): void => setEntered({ ...schedule, ...change });
  return (
    <div className={styles.settings}>
      <Choice<PlanMode>
        label={t('workMode')}
        value={schedule.workMode}
        options={planModes.map((value) => ({ value, label: t(`workMode.${value}`) }))}
        problem={problems['schedule.workMode']}
        onChange={(workMode) => setEntered(withMode(schedule, { workMode }))}
      />
      {isManual ? (
        <div className={styles.numbers}>
          {(['startTime', 'endTime'] as const).map((name) => (
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
          ))}
        </div>
      ) : (
        <>
          <Choice<LightControl>
            label={t('control')}
            value={schedule.control}
            options={lightControls.map((value) => ({ value, label: t(`control.${value}`) }))}
            hint={t(`control.${schedule.control}.hint`)}
            problem={problems['schedule.control']}
            onChange={(control) => setEntered(withMode(schedule, { control }))}
          />
          <div className={styles.numbers}>
            {numbersOf(schedule).map((name) => (
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
  const below = problem ?? hint;
  return (
    <div className={styles.choice}>
      <span id={id}>{label}</span>
      <Segmented<Value>
        value={value}
        aria-labelledby={id}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        options={options}
        onChange={onChange}
      />
      {below === undefined ? null : (
        <small id={`${id}-below`} data-wrong={problem === undefined ? undefined : true}>
          {below}
        </small>
      )}
    </div>
  );
}
