import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../catalogue/lighting/plan/canonical.ts';
import { refuse } from '../../platform/http/index.ts';

/** What was asked for, as a hash of each field. */
export type RequestHashes = Readonly<Record<string, string>>;

const digits = 16;

/** The hashes of a request; its own id is none of its content. */
export const hashesOf = (body: object): RequestHashes =>
  Object.fromEntries(
    Object.entries(body).flatMap(([field, value]) =>
      field === 'requestId'
        ? []
        : [[field, createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, digits)]],
    ),
  );

/** Refuses a request id that was used for another content, naming the fields. */
export function refuseOther(known: RequestHashes | null, asked: RequestHashes): void {
  // One from before hashes were kept is believed.
  if (known === null) return;
  const fields = [...new Set([...Object.keys(known), ...Object.keys(asked)])];
  const differs = fields.filter((field) => known[field] !== asked[field]).toSorted();
  if (differs.length === 0) return;
  throw refuse('requestIdReused', {}, { fields: [{ field: 'requestId', rule: 'taken' }], body: { differs } });
}
