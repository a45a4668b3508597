import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import type { QueryOf } from '../../../../../contract/route.ts';
import type { getAssetStatistics } from '../../../../../contract/register/statistics.ts';
import { referenceFace } from '../../../fields/reference-face.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import type { SearchField } from '../../../parts/search-fields/SearchPanel.tsx';

export type Filters = QueryOf<typeof getAssetStatistics>;
export const filterKeys = ['family', 'workId', 'roadId', 'status'] as const;
const states = ['enabled', 'disabled'] as const;
const listOfIds = /^\d{1,15}(,\d{1,15})*$/;

/** What of an address is asked of the server; a hand-written address that means nothing is left out. */
export function filtersOf(values: Readonly<Record<string, string>>): Filters {
  const known =
    values['family']
      ?.split(',')
      .filter((key) => familyOf(key))
      .join(',') ?? '';
  const status = states.find((one) => one === values['status']);
  const ids = (key: 'workId' | 'roadId') =>
    values[key] !== undefined && listOfIds.test(values[key]) ? { [key]: values[key] } : {};
  return {
    ...(known === '' ? {} : { family: known }),
    ...ids('workId'),
    ...ids('roadId'),
    ...(status ? { status } : {}),
  };
}

const sample = families[0];

/** The conditions of the page, in the words of the lists. */
export function useFilterFields(): readonly SearchField[] {
  const { t } = useTranslation('statistics');
  const names = useNames();
  return useMemo(() => {
    const option = (itemValue: string, itemName: string) => ({ itemValue, itemName });
    return [
      searchField({
        key: 'family',
        label: t('families'),
        type: 'select',
        multiple: true,
        options: families.map(({ key }) => option(key, names.family(key))),
      }),
      ...(['workId', 'roadId'] as const).flatMap((key) => {
        const field = sample?.field.get(key);
        const Filter = referenceFace.Filter;
        return field?.kind === 'reference' && Filter
          ? [
              {
                key,
                label: names.field(key),
                input: (control: { id: string; value: string; onChange: (value: string) => void }) => (
                  <Filter field={field} {...control} />
                ),
              },
            ]
          : [];
      }),
      searchField({
        key: 'status',
        label: names.field('status'),
        type: 'select',
        options: states.map((key) => option(key, names.option('status', key))),
      }),
    ];
  }, [names, t]);
}
