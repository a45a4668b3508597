import { useTranslation } from 'react-i18next';
import { ChooseVersions, GoneVersion } from '../../../parts/form/index.ts';
import { differing, otherLanguages, valuesOf, type Node, type NodeField, type NodeValues } from './node.ts';
import type { NodeForm } from './use-node-form.ts';

/** Two administrators edited the same node: both versions line by line. */
export function Versions({ form, theirs }: { form: NodeForm; theirs: Node | null }) {
  const { t } = useTranslation('menus');
  if (theirs === null) return <GoneVersion text={t('conflict.gone')} />;
  const now = valuesOf(theirs);
  const touched = differing(form.values, form.before);
  const text = (values: NodeValues, field: NodeField): string => {
    if (field === 'titles')
      return otherLanguages.flatMap((language) => values.titles[language] || []).join(' · ') || '—';
    if (field === 'type') return values.type === null ? '—' : t(`type.${values.type}`);
    return values[field] || '—';
  };
  const texts = {
    title: t('conflict.title'),
    text: t('conflict.text'),
    same: t('conflict.same'),
    what: t('conflict.what'),
    mine: t('conflict.mine'),
    theirs: t('conflict.theirs'),
    apply: t('conflict.apply'),
  };
  return (
    <ChooseVersions
      texts={texts}
      onSettle={form.settle}
      differing={differing(form.values, now).map((field) => ({
        field,
        label: t(`field.${field}`),
        mine: text(form.values, field),
        theirs: text(now, field),
        mineByDefault: touched.includes(field),
      }))}
    />
  );
}
