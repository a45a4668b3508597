import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { LampMemory } from '../lamp/lamp.ts';
import type { CabinetMemory } from './cabinet.ts';

/** What all devices together keep over a power cut of the simulator, by device id. */
export interface FleetMemory {
  readonly token: string;
  /** When this city was first played. */
  readonly startedAt: number;
  /** The first day was delivered. */
  readonly delivered: boolean;
  /** The week before that day was delivered. */
  readonly weekDelivered: boolean;
  /** The dramas of the city began with it. */
  readonly dramas: boolean;
  /** Up to when devices that are no lamps have reported; absent: an earlier version kept it not. */
  readonly equipmentTo?: number;
  readonly lamps: Readonly<Record<string, LampMemory>>;
  readonly cabinets: Readonly<Record<string, CabinetMemory>>;
}

/**
 * The memory of an earlier run of the same city; undefined when there is none that can be read. A city whose day an
 * earlier version told has no week before it and no dramas: devices have said otherwise of those days since.
 */
export function readMemory(file: string, token: string): FleetMemory | undefined {
  try {
    const memory = JSON.parse(readFileSync(file, 'utf8')) as Partial<FleetMemory>;
    const complete = memory.token === token && typeof memory.startedAt === 'number' && memory.lamps && memory.cabinets;
    if (!complete) return undefined;
    const { delivered = false, weekDelivered = delivered, dramas = !delivered } = memory;
    return { ...(memory as FleetMemory), delivered, weekDelivered, dramas };
  } catch {
    return undefined;
  }
}

export const writeMemory = (file: string, memory: FleetMemory): void => writeWhole(file, JSON.stringify(memory));

/** Written beside and renamed: a kill leaves the old one. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
