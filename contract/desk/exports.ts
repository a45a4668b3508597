import { route } from '../route.ts';
import { ConnectionFilters } from '../wires/connections.ts';
import { ExpiryFilters } from '../register/statistics.ts';
import {
  DeviceList,
  ExceptionsFile,
  FailedRows,
  NightFile,
  PublicationLampsFile,
  PublicationsFile,
  SimulationFile,
} from './task-kinds.ts';
import { Task } from './tasks.ts';

/** Calls that begin the export of what a list shows, as a task; the work area in force limits it. */

export const exportDevices = route({
  method: 'POST',
  path: '/api/v1/device-exports',
  limits: { bytes: 512 * 1024 },
  tag: 'tasks',
  access: 'device.export',
  action: 'device.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of a family’s list as it is filtered, as a task; the sheet imports unchanged.',
  body: DeviceList,
  reply: Task,
});
export const exportConnections = route({
  method: 'POST',
  path: '/api/v1/connection-exports',
  tag: 'connections',
  access: 'device.export',
  action: 'connection.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of the connection log as it is filtered, as a task; at most 200,000 rows.',
  body: ConnectionFilters,
  reply: Task,
});
export const exportExpiries = route({
  method: 'POST',
  path: '/api/v1/expiry-exports',
  tag: 'statistics',
  access: 'device.export',
  action: 'device.exportExpiries',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of the devices whose warranty or SIM card ends, all of them, as a task.',
  body: ExpiryFilters,
  reply: Task,
});
export const exportFailedRows = route({
  method: 'POST',
  path: '/api/v1/failed-row-exports',
  tag: 'imports',
  access: 'device.import',
  action: 'device.import.exportFailed',
  areaScoped: true,
  status: 201,
  refuses: ['notFound'],
  summary:
    'Begins the export of the failed rows of an import, as a task: the file’s own columns and one with every reason; the sheet can be imported again.',
  body: FailedRows,
  reply: Task,
});

export const exportSimulation = route({
  method: 'POST',
  path: '/api/v1/plan-simulation-exports',
  tag: 'simulations',
  access: 'plan.query',
  action: 'plan.exportSimulation',
  status: 201,
  refuses: ['notFound', 'taskRunning'],
  summary: 'Begins the export of an own simulation, as a task: its months, their sums, and what was found.',
  body: SimulationFile,
  reply: Task,
});

export const exportPublications = route({
  method: 'POST',
  path: '/api/v1/publication-exports',
  tag: 'publications',
  access: 'plan.query',
  action: 'publication.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of the list of publications as it is filtered, as a task.',
  body: PublicationsFile,
  reply: Task,
});
export const exportPublicationLamps = route({
  method: 'POST',
  path: '/api/v1/publication-lamp-exports',
  tag: 'publications',
  access: 'plan.query',
  action: 'publication.exportLamps',
  areaScoped: true,
  status: 201,
  refuses: ['notFound'],
  summary:
    'Begins the export of the lamps of a publication as they are filtered, as a task: the state of each, its times, its proof, why not.',
  body: PublicationLampsFile,
  reply: Task,
});
export const exportExceptions = route({
  method: 'POST',
  path: '/api/v1/plan-exception-exports',
  tag: 'exceptions',
  access: 'plan.query',
  action: 'exception.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of the list of exceptions as it is filtered, as a task.',
  body: ExceptionsFile,
  reply: Task,
});

export const exportNight = route({
  method: 'POST',
  path: '/api/v1/plan-night-exports',
  tag: 'nights',
  access: 'plan.query',
  action: 'plan.exportNight',
  areaScoped: true,
  status: 201,
  refuses: ['notFound'],
  summary: 'Begins the export of lamps of a night as they are filtered, as a task: each with its outcome and why.',
  body: NightFile,
  reply: Task,
});

/** By the kind of the task that each begins. */
export const exportCalls = {
  'export.devices': exportDevices,
  'export.connections': exportConnections,
  'export.expiries': exportExpiries,
  'export.failed-rows': exportFailedRows,
  'export.plan-simulation': exportSimulation,
  'export.publications': exportPublications,
  'export.publication-lamps': exportPublicationLamps,
  'export.plan-exceptions': exportExceptions,
  'export.plan-night': exportNight,
};
