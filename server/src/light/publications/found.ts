import {
  findingSeverities,
  type FindingCode,
  type FindingSeverity,
} from '../../../../catalogue/lighting/plan/findings.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { findCodes, findWhys } from './found.store.ts';

/** What publications find, with the lamps that it is about. */

export interface Finding {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly params: Record<string, string | number>;
  readonly lamps?: { readonly count: number; readonly first: { readonly id: number; readonly code: string }[] };
}
/** A finding before its lamps have their codes. */
export interface Found extends Pick<Finding, 'code' | 'params'> {
  /** Absent: it is of no lamps. */
  readonly ids?: readonly number[];
}

const severities = ['error', 'warning', 'note'] as const;
const { first, all } = publicationBounds.findingLamps;

/** The gravest first; `lampsOf`: findings of this code name all of their lamps. */
export async function namedFindings(
  from: Db | Transaction,
  found: readonly Found[],
  lampsOf?: FindingCode,
): Promise<Finding[]> {
  const named = (one: Found) => (one.ids ?? []).slice(0, one.code === lampsOf ? all : first);
  const codes = await findCodes(from, [...new Set(found.flatMap(named))]);
  return found
    .map((one): Finding => ({
      code: one.code,
      severity: findingSeverities[one.code],
      params: one.params,
      ...(one.ids
        ? { lamps: { count: one.ids.length, first: named(one).map((id) => ({ id, code: codes.get(id) ?? '' })) } }
        : {}),
    }))
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** Findings as a reader sees them: who does not see every lamp is named none. */
export const seenFindings = (findings: readonly Finding[], whole: boolean): Finding[] =>
  findings.map(({ lamps, ...one }) => (whole && lamps ? { ...one, lamps } : one));

const exceptionOf = ({ params }: Finding) => Number(params['exception'] ?? 0);

/** The reasons of the exceptions that these findings name, of which the reader sees a lamp. */
export function whysFor(
  from: Db | Transaction,
  reader: DeviceScope,
  findings: readonly Finding[],
): Promise<ReadonlyMap<number, string>> {
  return findWhys(from, reader, [...new Set(findings.map(exceptionOf).filter(Boolean))]);
}

/** Findings with these reasons of exceptions, and with no others. */
export const withWhys = (findings: readonly Finding[], whys: ReadonlyMap<number, string>): Finding[] =>
  findings.map((one) => {
    const exception = exceptionOf(one);
    return exception === 0
      ? one
      : { ...one, params: { ...one.params, reason: `#${exception} ${whys.get(exception) ?? ''}`.trim() } };
  });
