import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../../../../../contract/register/devices.ts';
import { call, callKey } from '../../../api/index.ts';
import { deviceViews } from '../../../parts/declared/use-source.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import type { Pending, Position } from './pending.ts';
import type { Lost } from './Unplaced.tsx';

const positionOf = (longitude: unknown, latitude: unknown): Position | null =>
  typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : null;

/** One move at a time: begun, shifted, written with the version it was begun with, and taken back. */
export function useMove() {
  const { t } = useTranslation('device-map');
  const client = useQueryClient();
  const errorText = useErrorText();
  const [pending, setPending] = useState<Pending | null>(null);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const refresh = () => Promise.all(deviceViews.map((route) => client.invalidateQueries({ queryKey: callKey(route) })));
  const write = (id: number, version: number, position: Position | null) => {
    const body: Readonly<Record<string, unknown>> = {
      version,
      longitude: position?.longitude ?? null,
      latitude: position?.latitude ?? null,
    };
    return call(updateDevice, { params: { id }, body }, { quiet: true });
  };
  const undo = async ({ id, code, own }: Pending, version: number): Promise<void> => {
    try {
      await write(id, version, own);
      toast.done(t('edit.undone', { code }));
    } catch (cause) {
      toast.failed(`${t('edit.undoFailed', { code })} · ${errorText(cause)}`);
    }
    await refresh();
  };
  const begin = (next: Pending | null): void => {
    setPending(next);
    setError(null);
  };
  return {
    pending,
    saving,
    error,
    /** A device of the card, from where it stands. */
    start(device: Device, middle: Position): void {
      const [x, y] = (device.latchedPosition ?? '').split(', ').map(Number);
      const from = device.latchedPosition === null ? null : positionOf(x, y);
      begin({
        id: device.id,
        family: device.family,
        code: String(device['equipmentCode']),
        version: device.version,
        from,
        own: positionOf(device['longitude'], device['latitude']),
        to: from ?? middle,
      });
    },
    /** One that stood nowhere. */
    place: ({ id, family, code, version }: Lost, to: Position): void =>
      begin({ id, family, code, version, from: null, own: null, to }),
    move: (to: Position): void => setPending((before) => before && { ...before, to }),
    cancel: (): void => begin(null),
    async save(): Promise<void> {
      if (!pending) return;
      setSaving(true);
      setError(null);
      try {
        const { version } = await write(pending.id, pending.version, pending.to);
        toast.done(t('edit.done', { code: pending.code }), {
          text: t('edit.undo'),
          onClick: () => void undo(pending, version),
        });
        setPending(null);
      } catch (cause) {
        setError(cause);
      } finally {
        setSaving(false);
      }
      await refresh();
    },
  };
}
