import { createBatch, listBatches, updateBatch } from '../../../../../contract/wires/provisioning.ts';
import { call, useSend } from '../../../api/index.ts';
import { useVersionedForm } from '../../../parts/form/index.ts';
import { storedWorkId } from '../../../session/index.ts';
import type { Secret } from './BatchSecret.tsx';
import type { Batch } from './newcomer.ts';

export interface Values {
  readonly name: string;
  readonly workId: number | null;
  readonly families: readonly string[];
  readonly maxDevices: number | null;
  readonly expiresAt: string | null;
}
type Field = keyof Values;

const fields: readonly Field[] = ['name', 'workId', 'families', 'maxDevices', 'expiresAt'];
const fieldOf = (name: string): Field | undefined => fields.find((field) => field === name);
const valuesOf = ({ name, workId, families, maxDevices, expiresAt }: Batch): Values => ({
  name,
  workId,
  families,
  maxDevices,
  expiresAt,
});
const sameAs = (value: Values[Field]): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value));
const differing = (one: Values, other: Values): Field[] =>
  fields.filter((field) => sameAs(one[field]) !== sameAs(other[field]));
const problemsOf = ({ name, workId, maxDevices }: Values): Partial<Record<Field, 'required'>> => ({
  ...(name.trim() === '' ? { name: 'required' } : {}),
  ...(workId === null ? { workId: 'required' } : {}),
  ...(maxDevices === null ? { maxDevices: 'required' } : {}),
});
const refreshed = [listBatches];

/**
 * The form of a batch that is changed (`loaded`, as it was when the form was opened) or of a new one, whose secret it
 * resolves with.
 */
export function useBatchForm(loaded: Batch | null) {
  const create = useSend(createBatch, refreshed, { quiet: true });
  const update = useSend(updateBatch, refreshed, { quiet: true });
  const form = useVersionedForm({
    loaded,
    empty: {
      name: '',
      workId: Number(storedWorkId()) || null,
      families: [],
      maxDevices: 100,
      expiresAt: null,
    } as Values,
    valuesOf,
    differing,
    problemsOf,
    fieldOf,
    async send({ name, workId, families, maxDevices, expiresAt }, stored: Batch | null): Promise<Secret | null> {
      // What is missing was refused before.
      const body = { name: name.trim(), families: [...families], maxDevices: maxDevices ?? 0, expiresAt };
      if (stored) {
        await update.mutateAsync({ params: { id: stored.id }, body: { ...body, version: stored.version } });
        return null;
      }
      const { batch, credentials } = await create.mutateAsync({ body: { ...body, workId: workId ?? 0 } });
      return { batchId: batch.id, name: batch.name, credentials };
    },
    // There is no call for one batch; of one that is gone the refusal itself is told.
    newest: async ({ id }) => (await call(listBatches, {}, { quiet: true })).data.find((one) => one.id === id),
  });
  return {
    ...form,
    /** After a conflict: what stands there now, with what was typed here on top. */
    takeNewest: () => form.settle(differing(form.values, form.before)),
  };
}
export type BatchFormState = ReturnType<typeof useBatchForm>;
