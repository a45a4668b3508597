import dayjs from 'dayjs';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import { connectionKinds, connectionReasons } from '../../../../../contract/episodes.ts';
import type { ConnectionFilters } from '../../../../../contract/wires/connections.ts';
import { referenceFace } from '../../../fields/reference-face.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import { afterSecond, momentsOf, searchField } from '../../../parts/search-fields/index.ts';
import type { SearchField } from '../../../parts/search-fields/SearchPanel.tsx';
import { instantOf } from '../../../parts/index.ts';

export type Filters = Static<typeof ConnectionFilters>;
export const filterKeys = [
  'q',
  'family',
  'workId',
  'roadId',
  'kind',
  'reason',
  'days',
  'going',
  'behind',
  'deviceId',
] as const;
const yesNo = ['true', 'false'] as const;
const reporting = families.filter(({ report }) => report !== null);
const listOfIds = /^\d{1,15}(,\d{1,15})*$/;
const usualDays = 7;

/** The span that is looked at: what the address says, else the last week; its end is included to the second. */
export function spanOf(
  values: Readonly<Record<string, string>>,
  today: string,
  zone: string,
): { readonly from: string; readonly to: string } {
  const { from, to } = momentsOf(values['days']);
  const begin =
    from ??
    `${
      to === undefined
        ? dayjs(today)
            .subtract(usualDays - 1, 'day')
            .format('YYYY-MM-DD')
        : to.slice(0, 10)
    } 00:00:00`;
  return { from: instantOf(begin, zone), to: afterSecond(instantOf(to ?? `${today} 23:59:59`, zone)) };
}

/**
 * What of an address is asked of the server besides the span; a hand-written address that means nothing is left out.
 */
export function filtersOf(values: Readonly<Record<string, string>>): Filters {
  const known = (key: string, is: (one: string) => boolean) => {
    const kept = values[key]?.split(',').filter(is).join(',') ?? '';
    return kept === '' ? {} : { [key]: kept };
  };
  const ids = (key: 'workId' | 'roadId') =>
    values[key] !== undefined && listOfIds.test(values[key]) ? { [key]: values[key] } : {};
  const going = yesNo.find((one) => one === values['going']);
  return {
    ...(values['q'] ? { q: values['q'].slice(0, 100) } : {}),
    ...known('family', (key) => familyOf(key) !== undefined),
    ...known('kind', (key) => connectionKinds.some((one) => one === key)),
    ...known('reason', (key) => connectionReasons.some((one) => one === key)),
    ...ids('workId'),
    ...ids('roadId'),
    ...(going === undefined ? {} : { open: going === 'true' }),
    behind: values['behind'] === 'true',
    // Somebody who asks for one device, or for this very reason, wants to see it.
    ...(values['deviceId'] !== undefined && /^[1-9]\d{0,14}$/.test(values['deviceId'])
      ? { deviceId: Number(values['deviceId']), behind: true }
      : values['reason']?.includes('gatewayLost')
        ? { behind: true }
        : {}),
  };
}

/** The conditions of the page, in the words of the lists. */
export function useFilterFields(today: string): readonly SearchField[] {
  const { t } = useTranslation('connections');
  const { t: told } = useTranslation('episodes');
  const names = useNames();
  return useMemo(() => {
    const option = (itemValue: string, itemName: string) => ({ itemValue, itemName });
    return [
      searchField({ key: 'q', label: t('filter.q'), type: 'text' }),
      searchField({
        key: 'family',
        label: t('filter.family'),
        type: 'select',
        multiple: true,
        options: reporting.map(({ key }) => option(key, names.family(key))),
      }),
      searchField({ key: 'days', label: t('filter.days'), type: 'datetimerange', last: today }),
      searchField({
        key: 'kind',
        label: t('filter.kind'),
        type: 'select',
        multiple: true,
        options: connectionKinds.map((key) => option(key, told(`kind.${key}`))),
      }),
      searchField({
        key: 'reason',
        label: t('filter.reason'),
        type: 'select',
        multiple: true,
        options: connectionReasons.map((key) => option(key, told(`reason.${key}`))),
      }),
      searchField({
        key: 'going',
        label: t('filter.open'),
        type: 'select',
        options: yesNo.map((key) => option(key, t(`open.${key}`))),
      }),
      ...(['workId', 'roadId'] as const).flatMap((key) => {
        const field = reporting[0]?.field.get(key);
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
        key: 'behind',
        label: t('filter.behind'),
        type: 'select',
        options: yesNo.map((key) => option(key, t(`behind.${key}`))),
      }),
    ];
  }, [names, t, told, today]);
}
