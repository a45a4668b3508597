import { Button } from 'antd';
import dayjs from 'dayjs';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { PlanMode, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { Field } from '../form/Field.tsx';
import { dateFormats } from '../search-fields/text-values.ts';
import { nightOf, sceneOf, unusedPeriods, yearOf } from './model.ts';
import { MovedSun } from './MovedSun.tsx';
import { NightResults } from './NightResults.tsx';
import { NightRibbon, type Floor } from './NightRibbon.tsx';
import { NumberInput } from './NumberInput.tsx';
import { PeriodTable } from './PeriodTable.tsx';
import { PlanSentence } from './PlanSentence.tsx';
import { below, type ProblemOf } from './problems.tsx';
import { SwitchingFields } from './SwitchingFields.tsx';
import { YearNotes } from './YearNotes.tsx';
import { YearPicture } from './YearPicture.tsx';
import styles from './plan.module.css';
import { DatePicker } from '../../fields/DatePicker.tsx';

interface Props {
  programme: Programme;
  /** Of its scheme; null: there is none. */
  mode: PlanMode | null;
  place: SunPlace;
  disabled: boolean;
  problemOf: ProblemOf;
  /** Floors of road classes, the highest first. */
  floors?: readonly Floor[];
  onChange: (programme: Programme) => void;
}

const none: readonly Floor[] = [];

/** A programme as it is edited: the night with its handles, the year, the sentence, the periods, what comes of it. */
export function ProgrammeEditor({ programme, mode, place, disabled, problemOf, floors = none, onChange }: Props) {
  const { t } = useTranslation('plan');
  const id = useId();
  const [today] = useState(() => lightingDay(place, Date.now()).day);
  const [chosen, setDay] = useState<Day | null>(null);
  const [watts, setWatts] = useState<number | null>(null);
  const day = chosen ?? today;
  const year = Number(day.slice(0, 4));
  const scene = useMemo(() => sceneOf(place, day), [place, day]);
  const night = useMemo(() => nightOf(programme, place, day), [programme, place, day]);
  // The year follows when there is time: a drag is not held up by it.
  const rested = useDeferredValue(programme);
  const nights = useMemo(() => yearOf(rested, place, year), [rested, place, year]);
  const unused = unusedPeriods(programme, { place, scene, night });
  return (
    <div className={styles.editor}>
      <div className={styles.day}>
        <label htmlFor={`${id}-day`}>{t('day.label')}</label>
        <DatePicker
          id={`${id}-day`}
          value={dayjs(day)}
          allowClear={false}
          format={dateFormats.date}
          onChange={(at) => setDay(at === null ? null : at.format('YYYY-MM-DD'))}
        />
        <Button disabled={day === today} onClick={() => setDay(null)}>
          {t('day.today')}
        </Button>
        <small>{t('day.hint')}</small>
      </div>
      <MovedSun place={place} day={day} />
      <NightRibbon {...{ programme, night, scene, place, floors }} {...(disabled ? {} : { onChange })} />
      <PlanSentence {...{ programme, night, watts }} timeZone={place.timeZone} tonight={day === today} />
      <YearPicture nights={nights} day={day} onDay={setDay} />
      <YearNotes programme={rested} nights={nights} onDay={setDay} />
      <div className={styles.switchings}>
        {(['on', 'off'] as const).map((which) => (
          <SwitchingFields
            key={which}
            which={which}
            clockOnly={mode === 'manual'}
            value={programme[which]}
            disabled={disabled}
            problemOf={below(problemOf, which)}
            onChange={(value) => onChange({ ...programme, [which]: value })}
          />
        ))}
        <Field id={`${id}-minimum`} label={t('minimum')} hint={t('minimum.hint')} problem={problemOf('minimumMinutes')}>
          {(tie) => (
            <NumberInput
              tie={tie}
              limit={planLimits.minimumMinutes}
              value={programme.minimumMinutes}
              disabled={disabled}
              suffix={t('unit.minutes')}
              onChange={(minimumMinutes) => onChange({ ...programme, minimumMinutes })}
            />
          )}
        </Field>
      </div>
      <PeriodTable {...{ programme, mode, disabled, problemOf, unused, onChange }} />
      <NightResults
        shown={{ scene, night, unused }}
        tonight={day === today}
        nights={nights}
        timeZone={place.timeZone}
        watts={watts}
        onWatts={setWatts}
      />
    </div>
  );
}
