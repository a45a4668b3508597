import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { Alert, Card, Skeleton } from '../../../parts/index.ts';
import { below } from '../../../parts/plan/problems.tsx';
import { ProgrammeEditor } from '../../../parts/plan/ProgrammeEditor.tsx';
import { usePlace } from '../../../parts/plan/use-place.ts';
import { problemIn } from '../../../parts/plan/use-problem-words.ts';
import type { Draft } from '../../../parts/versioned/use-draft.ts';
import styles from './template.module.css';

/** The programme of lamps that have the template and no scheme. */
export function FallbackTab({ draft, readOnly }: { draft: Draft<TemplateContent>; readOnly: boolean }) {
  const { t } = useTranslation('template');
  const { t: plan } = useTranslation('plan');
  const area = usePlace();
  const { content, problems, change } = draft;
  const { latitude, longitude, fallbackProgramme } = content;
  const isFixed = Number.isFinite(latitude) && Number.isFinite(longitude);
  // The sun is that of the template's place where it has one.
  const place = useMemo(
    () => (isFixed ? { ...area.place, latitude: latitude ?? 0, longitude: longitude ?? 0 } : area.place),
    [isFixed, latitude, longitude, area.place],
  );
  return (
    <Card>
      <p className={styles.text}>{t('fallback.text')}</p>
      {isFixed || area.known || area.arriving ? null : <Alert kind="note" title={plan('place.unknown')} />}
      {area.arriving ? (
        <Skeleton rows={8} height={520} />
      ) : (
        <ProgrammeEditor
          programme={fallbackProgramme}
          mode={null}
          place={place}
          disabled={readOnly}
          problemOf={below(problemIn(problems), 'fallbackProgramme')}
          onChange={(next) => change({ ...content, fallbackProgramme: next })}
        />
      )}
    </Card>
  );
}
