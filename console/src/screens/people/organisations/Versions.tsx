import { useTranslation } from 'react-i18next';
import { ChooseVersions, GoneVersion } from '../../../parts/form/index.ts';
import { usePeople, withUsername } from '../../../parts/people/index.ts';
import { differing, valuesOf, type Node, type Values } from './organisation.ts';
import { useGroups } from './OrganisationFields.tsx';
import type { OrganisationForm } from './use-organisation-form.ts';

/** Somebody else saved first: both versions line by line. */
export function Versions({ form, theirs }: { form: OrganisationForm; theirs: Node | null }) {
  const { t } = useTranslation('organisations');
  const groups = useGroups();
  const people = usePeople(
    [...form.values.people, ...(theirs?.personLinks.map(({ userId }) => userId) ?? [])],
    false,
    withUsername,
  );
  if (theirs === null) return <GoneVersion text={t('versions.gone')} />;
  const now = valuesOf(theirs);
  const touched = differing(form.values, form.before);
  const groupOf = (id: number): string => groups.data?.data.find((group) => group.id === id)?.groupName ?? `#${id}`;
  const shown = {
    orgName: (values: Values) => values.orgName,
    description: (values: Values) => values.description,
    groups: (values: Values) => values.groups.map(groupOf).join(t('separator')),
    people: (values: Values) => values.people.map(people.nameOf).join(t('separator')),
  };
  const texts = {
    title: t('versions.title'),
    text: t('versions.text'),
    same: t('versions.same'),
    what: t('versions.what'),
    mine: t('versions.mine'),
    theirs: t('versions.theirs'),
    apply: t('versions.apply'),
  };
  return (
    <ChooseVersions
      texts={texts}
      onSettle={form.settle}
      differing={differing(form.values, now).map((field) => ({
        field,
        label: t(`field.${field}`),
        mine: shown[field](form.values) || '—',
        theirs: shown[field](now) || '—',
        mineByDefault: touched.includes(field),
      }))}
    />
  );
}
