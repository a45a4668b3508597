import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { isLamp } from '../../../../catalogue/lighting/families.ts';
import type { DeviceRow } from '../../../../contract/register/devices.ts';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { lampStates } from '../../../../contract/light/lamps.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { StateMark, type MarkState } from '../index.ts';

export type Device = Static<typeof DeviceRow> & Readonly<Record<string, unknown>>;
const isLampState = (state: string | null): state is (typeof lampStates)[number] =>
  lampStates.some((one) => one === state);

export interface DeviceState {
  readonly mark: MarkState;
  readonly word: string | undefined;
}

/**
 * What a device is doing, as a mark and a word: a fault by its name; a family that sends nothing only is in use or not.
 */
export function useDeviceState(): (device: Device) => DeviceState {
  const { t } = useTranslation('devices');
  const names = useNames();
  return (device) => {
    if (device['status'] === 'disabled') return { mark: 'off', word: names.option('status', 'disabled') };
    if (familyOf(device.family)?.report === null) return { mark: 'info', word: names.option('status', 'enabled') };
    const level = device.latest?.values['level'];
    const { state, fault } = device;
    if (fault !== null) return { mark: isLampState(state) ? state : 'alarm', word: names.fault(fault) };
    if (isLamp(device.family) && isLampState(state))
      return {
        mark: state,
        word:
          state === 'dimmed' && typeof level === 'number' ? t('state.dimmed', { level: Math.round(level) }) : undefined,
      };
    if (device.isOnline === null) return { mark: 'unknown', word: t('state.never') };
    return device.isOnline ? { mark: 'on', word: t('state.online') } : { mark: 'offline', word: t('state.offline') };
  };
}

export function DeviceMark({ device }: { device: Device }) {
  const { mark, word } = useDeviceState()(device);
  return <StateMark state={mark} {...(word === undefined ? {} : { word })} />;
}
