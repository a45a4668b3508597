import { Button, InputNumber } from 'antd';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BaseMapKind } from '../../../../../catalogue/base-maps.ts';
import { ErrorState, Icon } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { AnswerOf } from '../../../parts/map/answer/AnswerOf.tsx';
import { useAnswers } from '../../../parts/map/answer/use-answers.ts';
import { bodyOf, problemsOf, sameValues, valuesOf, type BaseMapSetting, type MapValues } from './map-values.ts';
import styles from './base-maps.module.css';

/** The typing has rested so long before a service is asked. */
const restMs = 700;
/** There is one question here. */
const only = 0;

/** What the service answers for a place, as the form stands: nothing needs to be saved first. */
export function Trial({
  kind,
  stored,
  values,
  place,
}: {
  kind: BaseMapKind;
  stored: BaseMapSetting | null;
  values: MapValues;
  place: { longitude: number; latitude: number } | null;
}) {
  const { t } = useTranslation('base-maps');
  const base = useId();
  const [at, setAt] = useState({
    longitude: place?.longitude ?? 116.404,
    latitude: place?.latitude ?? 39.915,
    zoom: Math.min(values.maxZoom, Math.max(values.minZoom, 15)),
  });
  const answers = useAnswers();
  const { isRunning = false, answer, failure } = answers.outcomes[only] ?? {};
  const wrong = Object.keys(problemsOf(kind, stored, values)).some((field) => field !== 'name');
  const zoom = values.file ? Math.min(values.file.maxZoom, Math.max(values.file.minZoom, at.zoom)) : at.zoom;
  const ask = (): void => {
    const {
      name: _name,
      attribution: _attribution,
      isEnabled: _enabled,
      isDefault: _default,
      ...settings
    } = bodyOf(kind, values);
    const changed = stored === null || !sameValues(values, valuesOf(stored));
    void answers.ask(only, {
      ...at,
      zoom,
      ...(stored ? { id: stored.id } : {}),
      ...(changed ? { settings: stored ? settings : { kind, ...settings } } : {}),
    });
  };
  const asked = JSON.stringify([
    values.address,
    values.key,
    values.style,
    values.system,
    values.file?.name,
    values.allowPrivate,
    at,
    wrong,
  ]);
  const lastAsked = useRef('');
  const askRested = useEffectEvent(() => {
    lastAsked.current = asked;
    ask();
  });
  useEffect(() => {
    // Effects run again whenever the tab is shown again; the service is not asked for that.
    if (wrong || inPreview() || lastAsked.current === asked) return undefined;
    const timer = setTimeout(() => askRested(), restMs);
    return () => clearTimeout(timer);
  }, [asked, wrong]);
  const number = (key: 'longitude' | 'latitude' | 'zoom', most: number, least = -most) => (
    <div className={styles.field}>
      <label htmlFor={`${base}-${key}`}>{t(`place.${key}`)}</label>
      <InputNumber
        id={`${base}-${key}`}
        min={least}
        max={most}
        value={key === 'zoom' ? zoom : at[key]}
        onChange={(value) => {
          if (value !== null) setAt({ ...at, [key]: value });
        }}
        {...(key === 'zoom' ? { precision: 0 } : { step: 0.01 })}
      />
    </div>
  );
  return (
    <div className={styles.trial}>
      <div className={styles.place}>
        {number('longitude', 180)}
        {number('latitude', 85)}
        {number('zoom', 22, 0)}
      </div>
      {wrong ? (
        <p className={styles.hint}>{t('trial.incomplete')}</p>
      ) : (
        <Button
          size="small"
          icon={<Icon name="retry" size={13} />}
          disabled={inPreview()}
          loading={isRunning}
          onClick={ask}
        >
          {t('trial.again')}
        </Button>
      )}
      {failure ? <ErrorState error={failure} onRetry={ask} /> : answer && !wrong ? <AnswerOf answer={answer} /> : null}
    </div>
  );
}
