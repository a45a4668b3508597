import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { BaseMapKind } from '../../../../../catalogue/base-maps.ts';
import {
  createBaseMap,
  listBaseMaps,
  listBaseMapSettings,
  updateBaseMap,
} from '../../../../../contract/shell/base-maps.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import {
  bodyOf,
  isNewKind,
  mapFields,
  problemsOf,
  sameValues,
  startOf,
  valuesOf,
  type BaseMapSetting,
  type MapField,
  type MapRule,
  type MapValues,
} from './map-values.ts';

export const refreshed = [listBaseMapSettings, listBaseMaps];
export type MapFieldError = { readonly rule: MapRule } | { readonly message: string };

/**
 * The form of one base map (stored null: a new one of `kind`): every problem at once, the server's by field. What
 * nobody touched follows `stored`.
 */
export function useMapForm(kind: BaseMapKind, stored: BaseMapSetting | null, onDirty: (dirty: boolean) => void) {
  const before = useMemo(() => (stored ? valuesOf(stored) : startOf(kind)), [stored, kind]);
  const [changes, setChanges] = useState<Partial<MapValues>>({});
  const values: MapValues = { ...before, ...changes };
  const dirty = !sameValues(values, before);
  const [errors, setErrors] = useState<Partial<Record<MapField, MapFieldError>>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const create = useSend(createBaseMap, refreshed, { quiet: true });
  const update = useSend(updateBaseMap, refreshed, { quiet: true });
  const tellDirty = useEffectEvent((now: boolean) => onDirty(now));
  // A file on its way would be lost as well.
  const [sending, setSending] = useState(false);
  useEffect(() => tellDirty(dirty || sending), [dirty, sending]);

  function refused(error: ApiError): void {
    const { fieldErrors } = error;
    const named = Object.fromEntries(
      mapFields.flatMap((field) => {
        const message = fieldErrors[field];
        return message === undefined ? [] : [[field, { message }]];
      }),
    );
    setErrors(named);
    // What the server says of an archive is more than its field can hold.
    if (Object.keys(named).length === 0 || error.code !== 1001) setFailure(error);
  }

  return {
    values,
    errors,
    failure,
    sending,
    setSending,
    saving: create.isPending || update.isPending,
    dirty,
    set(changed: Partial<MapValues>): void {
      setChanges((now) => {
        const next = { ...now, ...changed };
        return sameValues({ ...before, ...next }, before) ? {} : next;
      });
      setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in changed))));
    },
    undo(): void {
      setChanges({});
      setErrors({});
      setFailure(null);
    },
    async submit(): Promise<BaseMapSetting | undefined> {
      setFailure(null);
      const problems = problemsOf(kind, stored, values);
      setErrors(Object.fromEntries(Object.entries(problems).map(([field, rule]) => [field, { rule }])));
      if (Object.keys(problems).length > 0) return undefined;
      try {
        if (stored)
          return await update.mutateAsync({
            params: { id: stored.id },
            body: { ...bodyOf(kind, values, before), version: stored.version },
          });
        return isNewKind(kind) ? await create.mutateAsync({ body: { kind, ...bodyOf(kind, values) } }) : undefined;
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        refused(cause);
        return undefined;
      }
    },
  };
}
export type MapForm = ReturnType<typeof useMapForm>;
