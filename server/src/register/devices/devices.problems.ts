import {
  faultsInThemselves,
  familyOf,
  fromRow,
  validateDevice,
  type Family,
  type FieldValue,
  type Problem,
  type Values,
} from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseProblems, wordedProblems, type Caller, type RuleProblem } from '../../platform/http/index.ts';
import { openOptionProblems } from '../dictionaries/index.ts';
import { dependantProblems, referenceProblems } from './devices.references.ts';
import * as store from './devices.store.ts';
import { pictureProblems } from './picture.ts';
import { visibleDevices } from './visible.query.ts';

type Address = { readonly [Part in 'wire' | 'address']?: string | undefined };

/** What is wrong with the values of a device. `wires`: protocols whose devices have a door of their own. */
export function createDeviceProblems({ db, wires }: { readonly db: Db; readonly wires: readonly string[] }) {
  /**
   * What the register says of these values, read without keeping anything; nothing of an area that is not the caller's.
   */
  async function registerProblems(
    caller: Caller,
    family: Family,
    values: Values,
    changed: ReadonlySet<string>,
    id: number | null,
  ): Promise<Problem[]> {
    const { workId, equipmentCode } = values;
    if (typeof workId === 'number' && isForeign(caller, workId)) return [];
    const isTaken =
      (changed.has('equipmentCode') || changed.has('workId')) &&
      typeof workId === 'number' &&
      typeof equipmentCode === 'string' &&
      (await store.isCodeTaken(db, family.key, workId, equipmentCode, id));
    return [
      ...(await areaProblem(db, values)),
      ...(await referenceProblems(db, family, values, changed, id)),
      ...(await openOptionProblems(db, family.fields, values, changed)),
      ...(isTaken ? [{ field: 'equipmentCode', rule: 'taken' } as const] : []),
      ...(await pictureProblems(family, values)),
    ];
  }

  /** A device behind the broker has neither; one with a door of its own has both. */
  function addressProblems({ wire, address }: Address): Problem[] {
    if (wire !== undefined && !wires.includes(wire)) return [{ field: 'wire', rule: 'option' }];
    if ((wire === undefined) === (address === undefined)) return [];
    return [{ field: wire === undefined ? 'wire' : 'address', rule: 'required' }];
  }

  /** What the rules say of a form, for whom it is refused: everything at once. */
  const ofForms = {
    ofAddress: async (id: number | undefined, query: Address): Promise<RuleProblem[]> =>
      wordedProblems([
        ...addressProblems(query),
        ...((await store.isAddressTaken(db, id ?? 0, query)) ? [{ field: 'address', rule: 'taken' } as const] : []),
      ]),
    async ofNew(
      caller: Caller,
      { family: key, ...input }: Readonly<Record<string, unknown>>,
    ): Promise<readonly RuleProblem[]> {
      const family = familyOf(String(key));
      if (!family) return [];
      const { sound, problems: wrong } = soundly(validateDevice(family, input, 'create'));
      return wordedProblems([
        ...wrong,
        ...(await registerProblems(caller, family, sound, new Set(Object.keys(sound)), null)),
      ]);
    },

    async ofChange(
      caller: Caller,
      id: number | undefined,
      { version: _version, family: named, ...input }: Readonly<Record<string, unknown>>,
    ): Promise<readonly RuleProblem[]> {
      const row = id === undefined ? undefined : await store.findOne(db, id, visibleDevices(caller));
      const family = row && familyOf(row.family);
      if (!row || !family) return [];
      if (!row.visible) return wordedProblems(faultsInThemselves(family, input));
      const current = fromRow(family, row);
      const { sound, problems: wrong } = soundly(validateDevice(family, input, 'update', current));
      const next = { ...current, ...sound };
      const changed = changedIn(sound, current);
      return wordedProblems([
        ...(named === undefined || named === family.key ? [] : [{ field: 'family', rule: 'fixed' } as const]),
        ...wrong,
        ...(await registerProblems(caller, family, next, inQuestion(family, changed), row.id)),
        ...(await dependantProblems(db, next, changed, row.id)),
      ]);
    },
  };

  return { addressProblems, ofForms };
}

/** Which of the given values are other than the stored ones. */
export const changedIn = (given: Values, current: Values): Set<string> =>
  new Set(Object.keys(given).filter((key) => given[key] !== current[key]));
/** A move to another work area puts every reference in question. */
export const inQuestion = (family: Family, changed: ReadonlySet<string>): ReadonlySet<string> =>
  changed.has('workId') ? new Set(family.field.keys()) : changed;

/** What is right in itself, and what is wrong. */
const soundly = (result: ReturnType<typeof validateDevice>): { sound: Values; problems: readonly Problem[] } =>
  'problems' in result ? result : { sound: result.value, problems: [] };

export function checked(result: ReturnType<typeof validateDevice>): Values {
  if ('problems' in result) throw refuseProblems(result.problems);
  return result.value;
}

export function throwProblems(...lists: readonly (readonly Problem[])[]): void {
  const problems = lists.flat();
  if (problems.length > 0) throw refuseProblems(problems);
}

/** A work area that is not the caller's is 403, unlike every other wrong field. */
export function refuseForeign(caller: Caller, workId: FieldValue | undefined): void {
  if (isForeign(caller, workId)) throw refuse('foreignWorkArea');
}
const isForeign = ({ workAreas }: Caller, workId: FieldValue | undefined): boolean =>
  workAreas !== 'all' && !workAreas.includes(Number(workId));

export async function areaProblem(tx: Db | Transaction, values: Values): Promise<Problem[]> {
  if (typeof values['workId'] !== 'number') return [];
  return (await store.hasWorkArea(tx, values['workId'])) ? [] : [{ field: 'workId', rule: 'notFound' }];
}
