import { families } from '../../../../catalogue/families/index.ts';
import { records } from '../../../../catalogue/records/index.ts';
import { listCommands } from '../../../../contract/light/commands.ts';
import { listExceptions } from '../../../../contract/light/exceptions.ts';
import { listLamps } from '../../../../contract/light/lamps.ts';
import { listNights } from '../../../../contract/light/nights.ts';
import { listPublications } from '../../../../contract/light/publications.ts';
import { listRowRoads } from '../../../../contract/light/rows.ts';
import { listSchemes } from '../../../../contract/light/schemes.ts';
import { listTemplates } from '../../../../contract/light/templates.ts';
import { listDevices } from '../../../../contract/register/devices.ts';
import { listImports } from '../../../../contract/register/imports.ts';
import { listRecords } from '../../../../contract/register/records.ts';
import type { Access, RouteShape } from '../../../../contract/route.ts';
import { listLoginLog, listOperationLog } from '../../../../contract/specified/logs.ts';
import { listUsers } from '../../../../contract/specified/users.ts';
import { listWorkGroups } from '../../../../contract/specified/work-groups.ts';
import { listConnections } from '../../../../contract/wires/connections.ts';
import { listBatches, listNewcomers } from '../../../../contract/wires/provisioning.ts';

/** The call behind each list page, by the name that the console gives the list. */
const calls: ReadonlyMap<string, RouteShape> = new Map<string, RouteShape>([
  ...families.map(({ key }) => [key, listDevices] as const),
  ...records.map(({ key }) => [key, listRecords] as const),
  ['approvals', listCommands],
  ['batches', listBatches],
  ['command-tasks', listCommands],
  ['connections', listConnections],
  ['decided-exceptions', listExceptions],
  ['decided-publications', listPublications],
  ['exceptions', listExceptions],
  ['imports', listImports],
  ['lamps', listLamps],
  ['logs/login', listLoginLog],
  ['logs/operation', listOperationLog],
  ['newcomers', listNewcomers],
  ['nights', listNights],
  ['polls', listCommands],
  ['publications', listPublications],
  ['row-roads', listRowRoads],
  ['schemes', listSchemes],
  ['templates', listTemplates],
  ['users', listUsers],
  ['work-groups', listWorkGroups],
]);

export const savedViewLists: readonly string[] = [...calls.keys()];

/** Who may open a list: who may ask its call. undefined: there is no such list. */
export const accessOfList = (list: string): Access | undefined => calls.get(list)?.access;
