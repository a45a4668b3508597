import { TreeSelect } from 'antd';
import { useTranslation } from 'react-i18next';
import { popupOf } from '../../fields/Popup.tsx';
import type { Control, Of } from './fields.tsx';
import { choicesOf, joinChoices } from './text-values.ts';

/** Choices within choices, several of them. */
export default function TreeInput({ field, id, value, onChange }: Control & { field: Of<'tree'> }) {
  const { t } = useTranslation('search-fields');
  return (
    <TreeSelect<string[]>
      id={id}
      style={{ width: '100%' }}
      treeData={[...field.nodes]}
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_PARENT}
      allowClear
      maxTagCount="responsive"
      placeholder={t('any')}
      popupRender={popupOf(id)}
      loading={field.loading === true}
      showSearch={{ treeNodeFilterProp: 'title' }}
      value={choicesOf(value)}
      onChange={(chosen) => onChange(joinChoices(chosen))}
    />
  );
}
