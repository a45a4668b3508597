import { solarParts } from '../city/equipment-kinds.ts';
import { noise } from '../lamp/electrics.ts';
import { clamp, dayMs, dayOf, dayStart, drift, hourMs, hourOf, minuteMs, radio } from './signal.ts';
import type { Measured, Model } from './unit.ts';

const stepMs = 5 * minuteMs;
/** Reckoning begins anew each so many days, as long before them as a battery remembers how full it was. */
const blockDays = 64;
const memoryMs = 8 * dayMs;
const efficiency = 0.92;

interface State {
  readonly at: number;
  /** % */
  readonly charge: number;
  /** Ah of this calendar day. */
  readonly in: number;
  readonly out: number;
}

/** 太阳能控制器: charges by the light of the day, feeds its lamp by night until the battery is nearly empty. */
export const solarController: Model = ({ seed, trouble }, { weather, daylight, night }) => {
  // One panel is covered with leaves, one battery is worn.
  const panel =
    solarParts.panelWatts *
    (trouble === 'dirtyPanel' ? 0 : trouble === 'lowBattery' ? 0.24 : 0.86 + 0.1 * noise(seed, 1000));
  const capacity = solarParts.capacityAh;
  const beginnings = new Map<number, State>();

  const offered = (at: number): number => panel * daylight(at) ** 1.15 * (1 - 0.72 * weather(at).cloud);
  const volts = (charge: number, amperes: number): number => 12.35 + 0.95 * (charge / 100) + 0.022 * amperes;
  /** Watts of panel and lamp, amperes into the battery. */
  const flows = (at: number, charge: number) => {
    const dim = hourOf(at) >= 0.5 && hourOf(at) < 12 ? 0.5 : 1;
    const load = night(at) && charge > solarParts.cutOff ? solarParts.lampWatts * dim : 0;
    // A full battery takes only what the lamp leaves over, less and less of it before that.
    const wanted =
      charge >= 99.5 ? load + 2 : charge > 90 ? load + ((100 - charge) / 10) * 95 : Number.POSITIVE_INFINITY;
    const pv = Math.min(offered(at), wanted);
    return { pv, load, amperes: (pv * efficiency - load) / volts(charge, 0) };
  };
  const step = (state: State): State => {
    const at = state.at + stepMs;
    const { pv, load } = flows(state.at, state.charge);
    const hours = stepMs / hourMs;
    const into = ((pv * efficiency) / volts(state.charge, 0)) * hours;
    const out = (load / volts(state.charge, 0)) * hours;
    const same = dayOf(at) === dayOf(state.at);
    return {
      at,
      charge: clamp(state.charge + ((into - out) / capacity) * 100, 0, 100),
      in: (same ? state.in : 0) + into,
      out: (same ? state.out : 0) + out,
    };
  };
  const until = (from: State, at: number): State => {
    let state = from;
    while (state.at + stepMs <= at) state = step(state);
    return state;
  };
  /** At the first moment of a day, from the day before: never from what was asked last. */
  const beginningOf = (day: number): State => {
    const begin = dayStart(day);
    const found =
      beginnings.get(day) ??
      (day % blockDays === 0
        ? until({ at: begin - memoryMs, charge: 70, in: 0, out: 0 }, begin)
        : until(beginningOf(day - 1), begin));
    beginnings.set(day, found);
    return found;
  };
  const stateAt = (at: number): State => until(beginningOf(dayOf(at)), at);

  return (at): Measured => {
    const { charge, in: into, out } = stateAt(at);
    const { pv, load, amperes } = flows(at, charge);
    const lit = load > 0;
    const bus = volts(charge, amperes);
    const shining = daylight(at) > 0.02;
    const panelVolts = shining ? 17.2 + 1.6 * daylight(at) + 0.2 * drift(seed, at, 20 * minuteMs) : 0;
    return {
      pvVoltage: panelVolts,
      pvCurrent: shining ? pv / panelVolts : 0,
      pvPower: shining ? pv : 0,
      batteryVoltage: bus,
      batteryCurrent: amperes,
      battery: charge,
      loadVoltage: lit ? bus - 0.08 : 0,
      loadCurrent: lit ? load / (bus - 0.08) : 0,
      loadPower: load,
      chargeStage: pv < 0.5 ? 'none' : charge >= 99.5 ? 'float' : charge > 90 ? 'absorption' : 'bulk',
      dayCharge: into,
      dayDischarge: out,
      temperature: weather(at).temperature + 3 + 6 * daylight(at) + 0.3 * (noise(seed ^ 1, at) - 0.5),
      rssi: radio(seed, at, -92),
    };
  };
};
