import { Type } from 'typebox';
import { Nullable, Timestamp, route } from '../route.ts';

/** The lamps of roads, groups, loops and control boxes as figures: what their lists show beside the register. */

export const figurePlaces = ['road', 'group', 'loop', 'box'] as const;
export type FigurePlace = (typeof figurePlaces)[number];
/** Limit of places in one call: the longest page of a list. */
export const mostFigurePlaces = 200;

export const PlaceFigures = Type.Object({
  id: Type.Integer(),
  /** Devices of any family that belong to the place; null: the place has lamps only by what feeds them. */
  members: Nullable(Type.Integer()),
  lamps: Type.Integer(),
  /** Lamps that give light, of those whose light is known. */
  lit: Type.Integer(),
  known: Type.Integer(),
  /** Lamps in the states alarm and offline. */
  alarms: Type.Integer(),
  offline: Type.Integer(),
  /** kWh since noon of the current lighting day; null: no hour of it is counted yet. */
  kwh: Nullable(Type.Number()),
  /** Lamps that `kwh` is the sum of. */
  counted: Type.Integer(),
});

export const listPlaceFigures = route({
  method: 'GET',
  path: '/api/v1/place-figures/:place',
  tag: 'history',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Lamps, lit lamps, faults and the energy of tonight of roads, equipment groups, loops or control boxes. Only what the caller sees is counted; an id that the caller does not see is left out.',
  params: Type.Object({ place: Type.Enum([...figurePlaces]) }),
  query: Type.Object({
    ids: Type.String({
      pattern: `^\\d{1,15}(,\\d{1,15}){0,${mostFigurePlaces - 1}}$`,
      maxLength: mostFigurePlaces * 16,
    }),
  }),
  reply: Type.Object({
    /** Up to when energy is counted; null: none was. */
    countedTo: Nullable(Timestamp),
    data: Type.Array(PlaceFigures),
  }),
});
