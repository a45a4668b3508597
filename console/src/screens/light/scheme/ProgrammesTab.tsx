import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classFloors, floorFindings } from '../../../../../catalogue/lighting/floors.ts';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import { rotations, type PlanMode, type Rotation } from '../../../../../catalogue/lighting/plan/programme.ts';
import type { NamedProgramme, SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { roadClasses } from '../../../../../catalogue/records/road.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Field } from '../../../parts/form/index.ts';
import { Card, formatList, formatPercent, Icon, Skeleton, Alert } from '../../../parts/index.ts';
import { freshProgramme } from '../../../parts/plan/model.ts';
import { ModeCards } from '../../../parts/plan/ModeCards.tsx';
import { inMode } from '../../../parts/plan/modes.ts';
import { below } from '../../../parts/plan/problems.tsx';
import { ProgrammeEditor } from '../../../parts/plan/ProgrammeEditor.tsx';
import { usePlace } from '../../../parts/plan/use-place.ts';
import { problemIn } from '../../../parts/plan/use-problem-words.ts';
import type { Draft } from '../../../parts/versioned/use-draft.ts';
import { Findings } from './Findings.tsx';
import { FloorExceptions } from './FloorExceptions.tsx';
import styles from './scheme.module.css';

interface Props {
  draft: Draft<SchemeContent>;
  readOnly: boolean;
}

/** The programmes of a scheme, one to eight: mode, the list of them, and the one that is edited. */
export function ProgrammesTab({ draft, readOnly }: Props) {
  const { t, i18n } = useTranslation('scheme');
  const { t: plan } = useTranslation('plan');
  const names = useNames();
  const id = useId();
  const { place, known, arriving } = usePlace();
  const { content, problems, change } = draft;
  const { programmes, mode, rotation } = content;
  const [chosen, setChosen] = useState(0);
  // A look at another mode loses nothing: going back shows what stood there.
  const [left, setLeft] = useState<Partial<Record<PlanMode, readonly NamedProgramme[]>>>({});
  const wrongIn = (index: number): boolean =>
    Object.keys(problems).some((path) => path.startsWith(`programmes.${index}.`));
  // What is wrong is never out of sight.
  const firstWrong = [...programmes.keys()].find(wrongIn);
  const at = Math.min(chosen, programmes.length - 1);
  const shown = programmes[at];
  const problemOf = problemIn(problems);
  const put = (next: readonly NamedProgramme[]): void => change({ ...content, programmes: next });
  const set = (one: Partial<NamedProgramme>): void =>
    put(programmes.map((programme, index) => (index === at ? { ...programme, ...one } : programme)));
  const add = (from: NamedProgramme | undefined): void => {
    const key = Math.max(0, ...programmes.map((one) => one.key)) + 1;
    put([
      ...programmes,
      {
        key,
        name: from === undefined ? '' : t('programme.copyName', { name: from.name }),
        programme: from?.programme ?? inMode(freshProgramme, 'energySaving', mode),
      },
    ]);
    setChosen(programmes.length);
  };
  const setMode = (next: PlanMode): void => {
    setLeft({ ...left, [mode]: programmes });
    change({
      ...content,
      mode: next,
      programmes: left[next] ?? programmes.map((one) => ({ ...one, programme: inMode(one.programme, mode, next) })),
    });
  };
  const usedBy =
    shown === undefined ? 0 : content.calendar.rules.filter(({ programme }) => programme === shown.key).length;
  const isDefault = shown?.key === content.calendar.default;
  if (shown === undefined) return null;
  // As it is typed, before it is saved.
  const findings = floorFindings(content);
  const excepted = new Set(content.floorExceptions.map(({ roadClass }) => roadClass));
  const floors = [...Map.groupBy(roadClasses, (one) => classFloors[one])]
    .map(([floor, classes]) => ({ floor, classes: classes.filter((one) => !excepted.has(one)) }))
    .filter(({ floor, classes }) => floor > 0 && classes.length > 0)
    .toSorted((one, other) => other.floor - one.floor)
    .map(({ floor, classes }) => ({
      level: floor,
      label: plan('ribbon.floor', {
        name: formatList(
          classes.map((one) => names.option('roadClass', one)),
          i18n.language,
        ),
        level: formatPercent(floor, i18n.language),
      }),
      broken: findings.some((one) => one.programme === shown.key && one.floor === floor),
    }));
  return (
    <>
      <Card>
        <div className={styles.top}>
          <ModeCards value={mode} disabled={readOnly} onChange={setMode} />
          {programmes.some(({ programme }) => programme.periods.some(({ pattern }) => pattern !== 'all')) ? (
            <Field
              id={`${id}-rotation`}
              label={t('rotation')}
              hint={t(`rotation.${rotation}.text`)}
              problem={problemOf('rotation')}
            >
              {(tie) => (
                <Select<Rotation>
                  {...tie}
                  value={rotation}
                  disabled={readOnly}
                  style={{ width: 200 }}
                  options={rotations.map((value) => ({ value, label: t(`rotation.${value}`) }))}
                  onChange={(next) => change({ ...content, rotation: next })}
                />
              )}
            </Field>
          ) : null}
        </div>
      </Card>
      <Card flush>
        <div className={styles.programmes} role="group" aria-label={t('tab.programmes')}>
          {programmes.map((one, index) => (
            <button
              key={one.key}
              type="button"
              aria-pressed={index === at}
              data-wrong={wrongIn(index) || undefined}
              onClick={() => setChosen(index)}
            >
              <i className={styles.swatch} data-programme={index} aria-hidden />
              {one.name === '' ? t('programme.unnamed', { n: index + 1 }) : one.name}
              {one.key === content.calendar.default ? <small>{t('programme.default')}</small> : null}
              {wrongIn(index) ? <Icon name="warning" size={14} /> : null}
            </button>
          ))}
          {readOnly ? null : (
            <Button
              type="text"
              icon={<Icon name="plus" size={14} />}
              disabled={programmes.length >= planLimits.programmes.max}
              title={t('programme.most', { n: planLimits.programmes.max })}
              onClick={() => add(undefined)}
            >
              {t('programme.add')}
            </Button>
          )}
        </div>
        <div className={styles.body}>
          {firstWrong !== undefined && firstWrong !== at && !wrongIn(at) ? (
            <Alert
              title={t('programme.wrong', { name: programmes[firstWrong]?.name ?? '' })}
              action={<Button onClick={() => setChosen(firstWrong)}>{t('programme.show')}</Button>}
            />
          ) : null}
          <div className={styles.name}>
            <Field id={`${id}-name`} label={t('programme.name')} required problem={problemOf(`programmes.${at}.name`)}>
              {(tie) => (
                <Input
                  {...tie}
                  value={shown.name}
                  disabled={readOnly}
                  maxLength={30}
                  autoComplete="off"
                  placeholder={t('programme.namePlaceholder')}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )}
            </Field>
            {readOnly ? null : (
              <span className={styles.acts}>
                <Button disabled={programmes.length >= planLimits.programmes.max} onClick={() => add(shown)}>
                  {t('programme.copy')}
                </Button>
                <Button
                  disabled={programmes.length === 1 || isDefault || usedBy > 0}
                  title={
                    isDefault ? t('programme.isDefault') : usedBy > 0 ? t('programme.used', { n: usedBy }) : undefined
                  }
                  onClick={() => {
                    put(programmes.filter((_, index) => index !== at));
                    setChosen(Math.max(0, at - 1));
                  }}
                >
                  {t('programme.remove')}
                </Button>
              </span>
            )}
          </div>
          {known || arriving ? null : <Alert kind="note" title={plan('place.unknown')} />}
          {arriving ? (
            <Skeleton rows={8} height={520} />
          ) : (
            <ProgrammeEditor
              key={shown.key}
              programme={shown.programme}
              mode={mode}
              place={place}
              disabled={readOnly}
              problemOf={below(problemOf, `programmes.${at}.programme`)}
              floors={floors}
              onChange={(programme) => set({ programme })}
            />
          )}
        </div>
      </Card>
      <Findings findings={findings} content={content} />
      <FloorExceptions draft={draft} readOnly={readOnly} findings={findings} />
    </>
  );
}
