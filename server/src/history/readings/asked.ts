import { familyOf, quantities, type Quantity } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { findAsked, type AskedDevice } from './asked.store.ts';

export type { AskedDevice };

/**
 * Devices in the order of their ids as asked; refuses the one that does not exist, and the one the caller may not see.
 */
export async function askedDevices(db: Db, scope: DeviceScope, ids: readonly number[]): Promise<AskedDevice[]> {
  const rows = await findAsked(db, scope, ids);
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const device = found.get(id);
    if (!device) throw refuse('notFound');
    if (!device.visible) throw refuse('foreignWorkArea');
    return device;
  });
}

export const idsOf = (text: string): number[] => text.split(',').map(Number);

export type CurveKind = 'measured' | 'counter' | 'state';
export const curveKind = (quantity: Quantity): CurveKind =>
  quantity.kind !== 'number' ? 'state' : quantity.cumulative ? 'counter' : 'measured';
export const optionsOf = (quantity: Quantity): readonly string[] | null =>
  quantity.kind === 'enum' ? quantity.options : null;
export const unitOf = (quantity: Quantity): string | null =>
  quantity.kind === 'number' && quantity.unit !== '' ? quantity.unit : null;

/** Quantities of the catalogue by their names; refuses one there is not. */
export function askedQuantities(keys: readonly string[]): Quantity[] {
  return [...new Set(keys)].map((key) => {
    const quantity = quantities.get(key);
    if (!quantity)
      throw refuse('unknownQuantity', { quantity: key }, { fields: [{ field: 'quantities', rule: 'enum' }] });
    return quantity;
  });
}

export const hasQuantity = (device: AskedDevice, key: string): boolean =>
  familyOf(device.family)?.quantity.has(key) === true;

/** A request's caller as what limits the devices. */
export const scopeOf = ({ accountId, workAreas, workAreaId }: Caller): DeviceScope => ({
  accountId,
  workAreas,
  workAreaId,
});
