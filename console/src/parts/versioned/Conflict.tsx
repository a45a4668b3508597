import { useTranslation } from 'react-i18next';
import { ChooseVersions } from '../form/index.ts';
import { useTime } from '../time/zone.ts';
import type { Difference, Kind, PathWords } from './kind.ts';
import styles from './versioned.module.css';

/** Another one saved first: what only they and only this one changed, and a choice for what both did. */
export function Conflict<C extends object>({
  kind,
  difference,
  words,
  onSettle,
}: {
  kind: Kind<C>;
  difference: Difference<C>;
  words: PathWords<C>;
  onSettle: (keepMine: readonly string[]) => void;
}) {
  const { t } = useTranslation('versioned');
  const time = useTime();
  const { by, at, mine, both, onlyMine, onlyTheirs } = difference;
  const theirs = difference.theirs ?? kind.fresh;
  const sides = [
    { key: 'onlyTheirs', paths: onlyTheirs, content: theirs },
    { key: 'onlyMine', paths: onlyMine, content: mine },
  ] as const;
  return (
    <div className={styles.conflict}>
      <ChooseVersions<string>
        texts={{
          title: t('conflict.title', { by: by ?? '—', at: time(at, 'dayTime') }),
          text: t('conflict.text'),
          same: t('conflict.same'),
          what: t('conflict.what'),
          mine: t('conflict.mine'),
          theirs: t('conflict.theirs'),
          apply: t('conflict.apply'),
        }}
        differing={both.map((path) => ({
          field: path,
          label: words.label(path, mine),
          mine: words.value(path, mine),
          theirs: words.value(path, theirs),
          mineByDefault: true,
        }))}
        onSettle={onSettle}
      />
      {sides.map(({ key, paths, content }) =>
        paths.length === 0 ? null : (
          <div key={key} className={styles.sides}>
            <b>{t(`conflict.${key}`)}</b>
            <ul>
              {paths.map((path) => (
                <li key={path}>
                  {t('change', { what: words.label(path, content), value: words.value(path, content) })}
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </div>
  );
}
