import type { Static } from 'typebox';
import { useTranslation } from 'react-i18next';
import { feedsOthers } from '../../../../catalogue/capabilities.ts';
import { listPlaceFigures, type FigurePlace, type PlaceFigures } from '../../../../contract/history/place-figures.ts';
import { useCall } from '../../api/index.ts';
import { Quantity } from '../../fields/Quantity.tsx';
import { useOpen, usePageExists, usePermission } from '../../frame/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { formatNumber } from '../../locales/format-number.ts';
import type { ListColumn } from '../lists/columns.ts';
import type { RowAction } from '../lists/RowActions.tsx';
import { PageLink } from '../page/PageLink.tsx';
import { LevelMeter } from '../state/LevelMeter.tsx';
import { useTime } from '../time/zone.ts';
import type { Row, Source } from './source.ts';
import styles from './declared.module.css';

type Figures = Static<typeof PlaceFigures>;

/** How often the figures are asked again, ms. */
const REFRESH_MS = 60_000;
const places: Readonly<Record<string, FigurePlace>> = { road: 'road', 'equipment-group': 'group', loop: 'loop' };
const placeOf = ({ kind, key }: Source): FigurePlace | undefined =>
  kind === 'device' ? (feedsOthers(key) ? 'box' : undefined) : places[key];

/** Columns stand before this one: what changes by itself before master data and times. */
const beforeOf = ({ kind }: Source): string => (kind === 'device' ? 'workId' : 'updateTime');

/** What the monitor is filtered by to show the lamps of a place; undefined: it has no such filter. */
const filterOf: Readonly<Partial<Record<FigurePlace, string>>> = { road: 'roads', group: 'group' };

/** Puts figures of lamps into a list of places: columns after the specified ones, and the way to the map. */
export interface InPlaces {
  readonly columns: (own: ListColumn<Row>[]) => ListColumn<Row>[];
  readonly actionsOf: (row: Row) => readonly RowAction[];
  readonly hasActions: boolean;
}

/**
 * Lamps, lit share, faults and energy of tonight for the rows of a list of places: one question a page. Lists of other
 * rows stay as they are.
 */
export function usePlaceFigures(source: Source, rows: readonly Row[] | undefined): InPlaces {
  const place = placeOf(source);
  const mayAsk = usePermission('device.query');
  const ids = (rows ?? []).map(({ id }) => id).join(',');
  const figures = useCall(
    listPlaceFigures,
    { params: { place: place ?? 'road' }, query: { ids } },
    { enabled: place !== undefined && mayAsk && ids !== '', every: REFRESH_MS, keepPrevious: true },
  );
  const columns = useFigureColumns(place ?? 'road', figures.data);
  const onMap = useOnMap(place);
  if (place === undefined || !mayAsk) return { columns: (own) => own, actionsOf: () => [], hasActions: false };
  return {
    actionsOf: onMap ?? (() => []),
    hasActions: onMap !== null,
    columns: (own) => {
      const at = own.findIndex(({ key }) => key === beforeOf(source));
      return [...own.slice(0, at), ...columns, ...own.slice(at)];
    },
  };
}

function useFigureColumns(
  place: FigurePlace,
  answer: { readonly countedTo: string | null; readonly data: readonly Figures[] } | undefined,
): ListColumn<Row>[] {
  const { t, i18n } = useTranslation('declared');
  const names = useNames();
  const time = useTime();
  const of = (row: Row): Figures | undefined => answer?.data.find(({ id }) => id === row.id);
  const whole = (n: number): string => formatNumber(n, i18n.language, 0);
  const linked = (row: Row, n: number, search: string): React.ReactNode => {
    const filter = filterOf[place];
    if (filter === undefined || n === 0) return whole(n);
    return (
      <PageLink to="lamp/monitor" options={{ search: `?view=list&${filter}=${row.id}${search}` }}>
        {whole(n)}
      </PageLink>
    );
  };
  const column = (
    key: string,
    cell: (figures: Figures, row: Row) => React.ReactNode,
    more: Partial<ListColumn<Row>> = {},
  ): ListColumn<Row> => ({
    key: `figures.${key}`,
    name: t(`figures.${key}` as 'figures.lamps'),
    cell: (row) => {
      const found = of(row);
      return found === undefined ? '—' : cell(found, row);
    },
    align: 'right',
    className: styles.short,
    // Never folded: nothing to say of tonight is an answer too.
    isEmpty: () => false,
    inCard: true,
    ...more,
  });
  const { countedTo } = answer ?? { countedTo: null };
  return [
    ...(place === 'group' ? [column('members', ({ members }) => (members === null ? '—' : whole(members)))] : []),
    column('lamps', ({ lamps }, row) => linked(row, lamps, '')),
    column('lit', ({ lit, known }) => <LevelMeter level={known === 0 ? null : (lit / known) * 100} />, {
      align: undefined,
      hint: t('figures.lit.hint'),
    }),
    column('alarms', ({ alarms }, row) =>
      alarms === 0 ? (
        <span className={styles.zero}>0</span>
      ) : (
        <span className={styles.alarms}>▲ {linked(row, alarms, '&states=alarm')}</span>
      ),
    ),
    column('kwh', ({ kwh }) => <Quantity value={kwh} unit={names.unit('kWh')} decimals={1} />, {
      hint: countedTo === null ? t('figures.kwh.none') : t('figures.kwh.hint', { time: time(countedTo, 'minute') }),
    }),
  ];
}

/** The way from a place to the map: its lamps where they can be told, else the box that feeds them. */
function useOnMap(place: FigurePlace | undefined): ((row: Row) => readonly RowAction[]) | null {
  const { t } = useTranslation('declared');
  const open = useOpen();
  const exists = usePageExists();
  const filter = place === undefined ? undefined : filterOf[place];
  const screen = filter === undefined ? 'asset/map' : 'lamp/monitor';
  if (place === undefined || !exists(screen)) return null;
  return (row) => {
    const box = place === 'box' ? row.id : row['controlBoxId'];
    const search = filter === undefined ? `?device=${String(box)}` : `?${filter}=${row.id}`;
    return [{ key: 'map', label: t('figures.map'), icon: 'map', onClick: () => open(screen, { search }) }];
  };
}
