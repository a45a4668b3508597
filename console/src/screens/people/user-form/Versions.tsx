import { useTranslation } from 'react-i18next';
import { ChooseVersions, GoneVersion } from '../../../parts/form/index.ts';
import { useLevels } from '../../../parts/people/users/levels.ts';
import {
  differencesOf,
  valuesOf,
  type Detail,
  type StoredField,
  type Values,
} from '../../../parts/people/user-form/values.ts';
import styles from './user-form.module.css';

interface Props {
  mine: Values;
  before: Values;
  /** Stored now; null: the account is gone. */
  theirs: Detail | null;
  roleNames: (ids: readonly number[]) => string;
  onSettle: (keepMine: readonly StoredField[]) => void;
}

/** Two operators changed the same account. What only one of them touched is preset to that one's. */
export function Versions({ mine, before, theirs, roleNames, onSettle }: Props) {
  const { t } = useTranslation('user-form');
  if (theirs === null) return <GoneVersion text={t('versions.gone')} />;
  const now = valuesOf(theirs);
  const differing = differencesOf(mine, now, before).map(({ field, mineByDefault }) => ({
    field,
    mineByDefault,
    label: t(`field.${field}`),
    mine: <Shown field={field} values={mine} own roleNames={roleNames} />,
    theirs: <Shown field={field} values={now} own={false} roleNames={roleNames} />,
  }));
  const texts = {
    title: t('versions.title'),
    text: t('versions.text'),
    same: t('versions.same'),
    what: t('versions.what'),
    mine: t('versions.mine'),
    theirs: t('versions.theirs'),
    apply: t('versions.apply'),
  };
  return <ChooseVersions texts={texts} differing={differing} onSettle={onSettle} />;
}

function Shown({
  field,
  values,
  own,
  roleNames,
}: {
  field: StoredField;
  values: Values;
  own: boolean;
  roleNames: Props['roleNames'];
}) {
  const { t } = useTranslation('user-form');
  const levels = useLevels();
  if (field === 'imgPath') {
    return values.imgPath === null ? (
      t('versions.noPicture')
    ) : (
      <img className={styles.small} src={values.imgPath} alt={t(own ? 'versions.picture' : 'versions.pictureNow')} />
    );
  }
  if (field === 'treeLevel') return values.treeLevel === null ? '—' : levels.nameOf(values.treeLevel);
  if (field === 'roles') return roleNames(values.roles) || '—';
  return values[field].trim() || '—';
}
