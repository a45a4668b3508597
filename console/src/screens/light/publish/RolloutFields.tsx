import { InputNumber, Segmented, Select, Switch } from 'antd';
import dayjs from 'dayjs';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../../../catalogue/lighting/zone.ts';
import { canaryBounds, criteriaDefaults } from '../../../../../contract/light/first-part.ts';
import { publicationBounds } from '../../../../../contract/light/publications.ts';
import { canarySize } from '../../../parts/commands/send/send-rules.ts';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { Icon } from '../../../parts/index.ts';
import { usePublicationWords } from '../../../parts/publishing/words.ts';
import { dateFormats } from '../../../parts/search-fields/text-values.ts';
import { usualCanary, type Preview, type PublishForm, type Rollout } from './use-publish-form.ts';
import styles from './publish.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

/** A part first or all at once, what then, and from which night. */
export function RolloutFields({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const { number } = usePublicationWords();
  const id = useId();
  const { rollout, setRollout, found } = form;
  const { canary } = rollout;
  const lamps = found === undefined ? 0 : found.lamps - found.cannot.reduce((sum, { count }) => sum + count, 0);
  const by = canary?.by ?? 'all';
  const size = canary?.amount ? canarySize({ by: canary.by, amount: canary.amount }, lamps) : 0;
  return (
    <div className={styles.rollout}>
      <Field
        id={`${id}-amount`}
        label={t('canary')}
        problem={form.problems['canary.count']}
        hint={
          canary === null
            ? t('canary.all.text')
            : lamps > 1 && size > 0
              ? t('canary.text', { n: number(size), rest: number(lamps - size) })
              : t('canary.first')
        }
      >
        {(tie) => (
          <span className={styles.line}>
            <Segmented<'share' | 'count' | 'all'>
              value={by}
              aria-label={t('canary.by')}
              options={(['share', 'count', 'all'] as const).map((value) => ({ value, label: t(`canary.${value}`) }))}
              onChange={(next) =>
                setRollout({ ...rollout, canary: next === 'all' ? null : { by: next, amount: usualCanary[next] } })
              }
            />
            {canary === null ? null : (
              <InputNumber
                {...tie}
                className={styles.amount ?? ''}
                aria-label={t('canary.amount')}
                min={1}
                max={canaryBounds[canary.by]}
                precision={0}
                value={canary.amount}
                suffix={canary.by === 'share' ? '%' : t('canary.unit')}
                onChange={(amount) => setRollout({ ...rollout, canary: { ...canary, amount } })}
              />
            )}
          </span>
        )}
      </Field>
      {canary === null ? null : (
        <>
          <Choice
            title={t('goOn')}
            text={t(rollout.goOn ? 'goOn.on' : 'goOn.off')}
            on={rollout.goOn}
            onSwitch={(goOn) => setRollout({ ...rollout, goOn })}
          />
          <Choice
            title={t('autoRevert')}
            text={t(rollout.autoRevert ? 'autoRevert.on' : 'autoRevert.off')}
            on={rollout.autoRevert}
            onSwitch={(autoRevert) => setRollout({ ...rollout, autoRevert })}
          />
          <Criteria form={form} />
        </>
      )}
      <From form={form} />
    </div>
  );
}

function Choice({
  title,
  text,
  on,
  onSwitch,
}: {
  title: string;
  text: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <span id={id}>
        {title}
        <small>{text}</small>
      </span>
      <Switch checked={on} aria-labelledby={id} onChange={onSwitch} />
    </div>
  );
}

const names = Object.keys(criteriaDefaults) as (keyof typeof criteriaDefaults)[];

/** When the first part has passed; folded away, since the usual values do for nearly all. */
function Criteria({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const id = useId();
  const [open, setOpen] = useState(false);
  const { rollout, setRollout, problems } = form;
  const put = (name: keyof Rollout['criteria'], value: number | null): void =>
    setRollout({ ...rollout, criteria: { ...rollout.criteria, [name]: value } });
  const changed = names.filter((name) => rollout.criteria[name] !== criteriaDefaults[name]).length;
  const wrong = names.some((name) => problems[`criteria.${name}`] !== undefined);
  const shown = open || wrong;
  return (
    <section>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={shown}
        aria-controls={id}
        onClick={() => setOpen(!shown)}
      >
        <Icon name={shown ? 'up' : 'down'} size={13} />
        {t('criteria')}
        {changed > 0 ? ` · ${t('criteria.changed', { n: changed })}` : ''}
      </button>
      <div id={id} hidden={!shown} className={`${formStyles.grid} ${styles.criteria}`}>
        {names.map((name) => (
          <Field
            key={name}
            id={`${id}-${name}`}
            label={t(`criteria.${name}`)}
            hint={t(`criteria.${name}.text`)}
            problem={problems[`criteria.${name}`]}
          >
            {(tie) => (
              <InputNumber
                {...tie}
                min={0}
                max={100}
                value={rollout.criteria[name]}
                {...(name === 'litDropPoints' ? {} : { suffix: '%' })}
                onChange={(value) => put(name, value)}
              />
            )}
          </Field>
        ))}
      </div>
    </section>
  );
}

/** Days after the earliest one that are offered; any other one is picked. */
const ahead = publicationBounds.toldAhead - 1;
const [soon, other] = ['', 'other'];

function From({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const id = useId();
  const { day, earliest, shown, setDay } = form;
  const [picking, setPicking] = useState(false);
  // After dusk the next night is the usual one; this one can be chosen as well.
  const tonight = earliest !== null && shown !== undefined && shown.lightingDay < earliest ? shown.lightingDay : null;
  const days = earliest === null ? [] : Array.from({ length: ahead }, (_none, index) => addDays(earliest, index + 1));
  const first = shown?.lightingDay ?? earliest;
  // The earliest day picked by hand is the one that comes of itself.
  const burning = shown === undefined ? null : t(burningOf(day === earliest ? null : day, shown));
  const isNext = shown === undefined || earliest === null || earliest <= shown.lightingDay;
  return (
    <Field
      id={id}
      label={t('from')}
      hint={[burning, t('from.text')].filter((one) => one !== null).join(' · ')}
      problem={form.problems['effectiveFrom']}
    >
      {(tie) => (
        <div className={styles.line}>
          <Select<string>
            {...tie}
            className={styles.from ?? ''}
            value={picking ? other : (day ?? soon)}
            options={[
              {
                value: soon,
                label:
                  earliest === null ? t('from.soon') : t(isNext ? 'from.soonest' : 'from.usual', { day: earliest }),
              },
              ...(tonight === null ? [] : [{ value: tonight, label: t('from.tonight', { day: tonight }) }]),
              ...[...new Set([...days, ...(day === null || day === tonight || picking ? [] : [day])])].map((one) => ({
                value: one,
                label: t('from.day', { day: one }),
              })),
              { value: other, label: t('from.other'), disabled: day === null && first === null },
            ]}
            onChange={(next) => {
              setPicking(next === other);
              // A picker without a day would publish as soon as possible: it begins after the days of the list.
              if (next !== other) setDay(next === soon ? null : next);
              else if (day === null && first !== null) setDay(addDays(earliest ?? first, ahead + 1));
            }}
          />
          {picking ? (
            <DatePicker
              aria-label={t('from.other')}
              value={day === null ? null : dayjs(day)}
              allowClear={false}
              format={dateFormats.date}
              {...(first === null
                ? {}
                : { minDate: dayjs(first), maxDate: dayjs(addDays(first, publicationBounds.daysAhead)) })}
              onChange={(at) => {
                if (at) setDay(at.format('YYYY-MM-DD'));
              }}
            />
          ) : null}
        </div>
      )}
    </Field>
  );
}

/** What happens to a lamp that burns now: of a night that has begun it changes at once. */
function burningOf(day: string | null, { effectiveFrom, lightingDay }: Preview) {
  if (day === null) return effectiveFrom > lightingDay ? 'from.burning.soon' : 'from.burning.evening';
  return day > lightingDay ? 'from.burning.later' : 'from.burning.tonight';
}
