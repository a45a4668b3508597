import { Button, InputNumber } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import { coordinateProblems } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { getLamp } from '../../../../../contract/light/lamps.ts';
import {
  getLampSchedule,
  placeSources,
  previewLampPlaces,
  scheduleBounds,
  setLampPlaces,
} from '../../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Field } from '../../../parts/form/index.ts';
import { Card, formatNumber, Refusal, toast, useTime } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Scope } from './use-schedule-form.ts';
import styles from './schedule.module.css';

type Place = ReplyOf<typeof getLampSchedule>['place'];
type Preview = ReplyOf<typeof previewLampPlaces>;
type Source = (typeof placeSources)[number];

/** Latitude and longitude: entered, or taken over; what changes tonight is shown before it is saved. */
export function Coordinates({ scope, current }: { scope: Scope; current: Place | null }) {
  const { t, i18n } = useTranslation('schedule');
  const names = useNames();
  const id = useId();
  const [at, setAt] = useState<Record<'latitude' | 'longitude', number | null>>({
    latitude: current?.lamp?.latitude ?? null,
    longitude: current?.lamp?.longitude ?? null,
  });
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [seen, setSeen] = useState<{ readonly source: Source; readonly preview: Preview } | null>(null);
  const look = useSend(previewLampPlaces, [], { quiet: true });
  const save = useSend(setLampPlaces, [getLampSchedule, getLamp], { quiet: true });
  const bodyOf = (source: Source) => ({ scope, source, ...(source === 'given' ? at : {}) });
  const failed = (cause: unknown): void => {
    if (cause instanceof ApiError) setProblems(cause.fieldErrors);
  };
  const preview = (source: Source): void => {
    const wrong = [
      ...(source === 'given' ? coordinateProblems(at.latitude, at.longitude) : []),
      ...(Object.keys(scope).length === 0 ? [{ field: 'scope', rule: 'noRecord' } as const] : []),
    ];
    setSeen(null);
    save.reset();
    setProblems(Object.fromEntries(wrong.map(({ field, rule }) => [field, names.rule(rule)])));
    if (wrong.length > 0) return;
    look.mutateAsync({ body: bodyOf(source) }).then((answer) => setSeen({ source, preview: answer }), failed);
  };
  const send = (source: Source): void =>
    void save.mutateAsync({ body: bodyOf(source) }).then(({ changed }) => {
      toast.done(t('place.done', { n: formatNumber(changed, i18n.language, 0) }));
      setSeen(null);
    }, failed);
  const failure = save.error ?? look.error;
  return (
    <Card title={t('place')}>
      {current === null ? null : (
        <p className={styles.own}>
          {current.source === null
            ? t('place.unknown')
            : t(`place.source.${current.source}`, {
                latitude: current.used?.latitude ?? '',
                longitude: current.used?.longitude ?? '',
                km: current.away ?? '',
                most: scheduleBounds.placeKilometres,
              })}
        </p>
      )}
      <div className={styles.numbers}>
        {(['latitude', 'longitude'] as const).map((name) => (
          <Field key={name} id={`${id}-${name}`} label={t(name)} problem={problems[name]}>
            {(tie) => (
              <InputNumber<number>
                {...tie}
                value={at[name]}
                step={0.0001}
                suffix="°"
                style={{ width: 148 }}
                min={planLimits[name].min}
                max={planLimits[name].max}
                changeOnBlur={false}
                onChange={(value) => {
                  setAt({ ...at, [name]: value });
                  setSeen(null);
                  setProblems({});
                }}
              />
            )}
          </Field>
        ))}
      </div>
      {problems['scope'] === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problems['scope']}
        </p>
      )}
      <div className={styles.buttons}>
        {placeSources.map((source) => (
          <Button key={source} disabled={look.isPending} onClick={() => preview(source)}>
            {t(`place.from.${source}`)}
          </Button>
        ))}
      </div>
      {seen === null ? null : <Moved {...seen} busy={save.isPending} onSave={() => send(seen.source)} />}
      {failure && Object.keys(problems).length === 0 ? <Refusal error={failure} /> : null}
    </Card>
  );
}

/** What would change in the lamps' records and in the times of tonight. */
function Moved({
  preview: { changed, without, moved },
  busy,
  onSave,
}: {
  preview: Preview;
  busy: boolean;
  onSave: () => void;
}) {
  const { t, i18n } = useTranslation('schedule');
  const time = useTime();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const title = t('place.moved', { n: number(changed) });
  const times = ({ on, off }: Preview['moved'][number]['tonightBefore']): string =>
    on === null || off === null ? '—' : `${time(on, 'minute')}–${time(off, 'minute')}`;
  return (
    <div role="group" aria-label={title}>
      <p>
        {title}
        {without > 0 ? ` ${t('place.without', { n: number(without) })}` : ''}
      </p>
      {moved.length === 0 ? null : (
        <table className={styles.moved}>
          <thead>
            <tr>
              <th scope="col">{t('place.lamp')}</th>
              <th scope="col">{t('place.before')}</th>
              <th scope="col">{t('place.after')}</th>
            </tr>
          </thead>
          <tbody>
            {moved.map((one) => (
              <tr key={one.deviceId}>
                <td>{one.code}</td>
                <td>{times(one.tonightBefore)}</td>
                <td>{times(one.tonightAfter)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button type="primary" disabled={changed === 0 || inPreview()} loading={busy} onClick={onSave}>
        {t('place.save')}
      </Button>
    </div>
  );
}
