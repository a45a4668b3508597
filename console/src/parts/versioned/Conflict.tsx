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
  /** Paths whose value of this one is kept; all others are theirs. */
  onSettle: (keepMine: readonly string[]) => void;
}) {
  const { t } = useTranslation('versioned');
  const time = useTime();
  const { by, at, mine, both, onlyMine, onlyTheirs } = difference;
  const theirs = difference.theirs ?? kind.fresh;
  // What both touched, if only in different members of it, is chosen as a whole.
  const units = (paths: readonly string[]): string[] => [...new Set(paths.map(words.unit))];
  const shared = units(onlyMine).filter((unit) => units(onlyTheirs).includes(unit));
  const chosen = units([...both, ...shared]);
  const alone = (paths: readonly string[]): string[] => units(paths).filter((unit) => !chosen.includes(unit));
  const sides = [
    { key: 'onlyTheirs', paths: alone(onlyTheirs), content: theirs },
    { key: 'onlyMine', paths: alone(onlyMine), content: mine },
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
        differing={chosen.map((path) => ({
          field: path,
          label: words.label(path, mine),
          mine: words.value(path, mine),
          theirs: words.value(path, theirs),
          mineByDefault: true,
        }))}
        onSettle={(keepMine) => onSettle([...alone(onlyMine), ...keepMine])}
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
