import { Type, type Static } from 'typebox';
import { HistoryExport } from '../history.ts';
import { NightLampFilter } from '../light/nights.ts';
import { Day, Id, Nullable } from '../route.ts';
import { ExpiryFilters } from '../register/statistics.ts';
import { ExceptionFilters } from '../light/exceptions.ts';
import { PublicationFilters, PublicationLampFilters } from '../light/publications.ts';
import { ConnectionFilters } from '../wires/connections.ts';

/** Days of the caller's zone, both included: `yyyy-MM-dd`. */
export const ExportDays = Type.Object({
  beginTime: Type.String({ maxLength: 40 }),
  endTime: Type.String({ maxLength: 40 }),
});

/** A task has no request of its own: the work area that was in force when it began goes with it. */
const inArea = { workAreaId: Nullable(Type.Integer()) };

/** A family's list as it is filtered: the filters as they stand in its address, or the ids of what was selected. */
export const DeviceList = Type.Object({
  family: Type.String({ maxLength: 64 }),
  query: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 80_000 })),
});
export const DeviceExport = Type.Interface([DeviceList], inArea);

/** The results of a command per device; `states` null: all. */
export const CommandExport = Type.Object({
  commandId: Type.Integer(),
  format: Type.Enum(['xlsx', 'csv']),
  states: Nullable(Type.Array(Type.String())),
  ...inArea,
});

export const HistoryExportParams = Type.Interface([HistoryExport], inArea);
export const ConnectionExport = Type.Interface([ConnectionFilters], inArea);
export const ExpiryExport = Type.Interface([ExpiryFilters], inArea);

/** The rows of an import that failed, as the caller's own imports are found: by its id. */
export const FailedRows = Type.Object({ importId: Id });
export const FailedRowsExport = Type.Interface([FailedRows], inArea);

/** Of an import: which, and of its writing whether all rows or none. Begun by the calls of imports. */
export const ImportStep = Type.Object({
  importId: Type.Integer(),
  rows: Type.Optional(Type.Union([Type.Literal('valid'), Type.Literal('all')])),
});

/** The difference of two plans: which request, of how many lamps, and what of it the log tells. */
export const PlanSimulation = Type.Object({
  simulationId: Type.Integer(),
  lamps: Type.Integer(),
  schemeId: Type.Integer(),
  from: Type.String(),
  to: Type.String(),
});
/** The file of an own simulation. */
export const SimulationFile = Type.Object({ simulationId: Id });
export const SimulationExport = Type.Interface([SimulationFile], inArea);

const inFormat = Type.Object({ format: Type.Enum(['xlsx', 'csv']) });
/** Lists as they are filtered; the lamps of one publication too. */
export const PublicationsFile = Type.Interface([PublicationFilters, inFormat], {});
export const PublicationsExport = Type.Interface([PublicationsFile], inArea);
export const ExceptionsFile = Type.Interface([ExceptionFilters, inFormat], {});
export const ExceptionsExport = Type.Interface([ExceptionsFile], inArea);
export const PublicationLampsFile = Type.Interface([PublicationLampFilters, inFormat], { publicationId: Id });
export const PublicationLampsExport = Type.Interface([PublicationLampsFile], inArea);
/** Lamps of a night as they are filtered. */
export const NightFile = Type.Interface([NightLampFilter], {
  day: Day,
  format: Type.Optional(Type.Enum(['xlsx', 'csv'])),
});
export const NightExport = Type.Interface([NightFile], inArea);

/**
 * Kinds of long work, and what each is begun with. A feature offers each by a `TaskKind`; the console calls it by the
 * words `tasks.kind.<kind>`. What begins with `export.` leaves a file and can be begun again from a list of tasks.
 */
export const taskParams = {
  'export.operation-log': ExportDays,
  'export.login-log': ExportDays,
  'export.devices': DeviceExport,
  'export.command': CommandExport,
  'export.history': HistoryExportParams,
  'export.connections': ConnectionExport,
  'export.expiries': ExpiryExport,
  'export.failed-rows': FailedRowsExport,
  'import.check': ImportStep,
  'import.apply': ImportStep,
  'import.undo': ImportStep,
  'plan.simulation': PlanSimulation,
  'export.plan-simulation': SimulationExport,
  'export.publications': PublicationsExport,
  'export.publication-lamps': PublicationLampsExport,
  'export.plan-exceptions': ExceptionsExport,
  'export.plan-night': NightExport,
};
export type TaskKindName = keyof typeof taskParams;
export type TaskParams = Static<(typeof taskParams)[TaskKindName]>;
export const taskKindNames = Object.keys(taskParams) as TaskKindName[];
