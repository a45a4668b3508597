import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldValue } from '../../../../catalogue/fields/index.ts';
import type { Family, Values } from '../../../../catalogue/family.ts';
import { deviceSource, type Source } from '../declared/source.ts';
import { FamilyForm } from '../declared/FamilyForm.tsx';

/** Sections that say what a device is and where; the rest can be filled in later. */
const mainSections = ['identity', 'place'];
/** A form's source cut down to what is needed to begin. */
const mainOf = (source: Source): Source => ({
  ...source,
  sections: source.sections.filter(({ key }) => mainSections.includes(key)),
});

interface Props<Made> {
  family: Family;
  /** What its fields begin with, and what their references are called. */
  initial: { readonly values: Values; readonly labels: Readonly<Record<string, string>> };
  submitText: string;
  /** Makes the device and whatever else belongs to it; until that is there the form rests. Throws ApiError. */
  create: (body: Readonly<Record<string, FieldValue>> & { readonly family: string }) => Promise<Made>;
  onCreated: (made: Made) => void;
  /** Whether something was typed that leaving would lose. */
  onTyped: (typed: boolean) => void;
}

/** The form of a new device, cut down to what is needed to begin; the rest of its fields on request. */
export function NewDeviceForm<Made>({ family, initial, submitText, create, onCreated, onTyped }: Props<Made>) {
  const { t } = useTranslation('provisioning');
  const [all, setAll] = useState(false);
  const tell = useRef<() => void>(() => undefined);
  const source = useMemo(() => deviceSource(family), [family]);
  const shown = useMemo(() => (all ? source : mainOf(source)), [all, source]);
  const [first] = useState(initial);
  return (
    <FamilyForm
      source={shown}
      row={null}
      reload={() => Promise.resolve(undefined)}
      initial={first}
      submitText={submitText}
      onDirty={onTyped}
      cancelText={t(all ? 'device.lessFields' : 'device.allFields')}
      onCancel={() => setAll(!all)}
      create={async (body) => {
        const made = await create({ ...body, family: family.key });
        tell.current = () => onCreated(made);
        // The form itself needs nothing of what was made: its page goes on elsewhere.
        return { id: 0, version: 1, labels: {}, updateTime: null };
      }}
      onSaved={() => tell.current()}
    />
  );
}
