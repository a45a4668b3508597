import type { LampCurve } from '../../catalogue/lighting/lamp-power.ts';
import type { FaultCode } from '../../catalogue/faults.ts';
import type { EquipmentFamily, Trouble } from './equipment-kinds.ts';
import type { Point } from './plane.ts';

/** What a generated city is made of. References are positions in the city's own lists. Lengths are metres. */
export type RoadClass = 'arterial' | 'secondary' | 'branch' | 'park';

export interface Street {
  readonly code: string;
  readonly name: string;
  readonly roadClass: RoadClass;
  readonly width: number;
  readonly line: readonly Point[];
  /** Of the grid: how far from the middle, for what is built first. */
  readonly remoteness: number;
  readonly north: boolean;
  /** false: a road that leaves the city, only drawn. */
  readonly lit: boolean;
  /** Stretches along the line (from, to) that cross the river. */
  readonly bridges: readonly (readonly [from: number, to: number, name: string])[];
}

export type Side = 'left' | 'right' | 'median';

export interface Pole {
  readonly code: string;
  readonly street: number;
  readonly side: Side;
  /** Counted along its street and side. */
  readonly number: number;
  readonly at: Point;
  readonly along: number;
  /** Unit vector to the left of the street's direction. */
  readonly left: Point;
  readonly kind: 'equipment_type_24' | 'equipment_type_13' | 'equipment_type_28';
  readonly shape: 'single_arm' | 'double_arm' | 'post_top';
  readonly location: 'roadside' | 'median' | 'footway' | 'bridge';
  readonly intersection: boolean;
  readonly heads: 1 | 2;
}

export interface LampModel {
  readonly name: string;
  readonly manufacturer: string;
  readonly ratedWatts: number;
  readonly cct: number;
  readonly curve: LampCurve;
  readonly dimming: 'switch' | 'analog' | 'pwm' | 'dali';
}

/** Follows its plan; is too old for plans and goes by its table; or says that it follows its plan and does not. */
export type Obedience = 'plan' | 'table' | 'wrongPlan';

export interface Lamp {
  readonly code: string;
  readonly pole: number;
  readonly head: number;
  readonly model: LampModel;
  readonly loop: number;
  /** Position along its loop, 0 at the box, 1 at the far end. */
  readonly reach: number;
  /** Speaks for itself; else through the controller of its control box. */
  readonly direct: boolean;
  readonly link: 'plc' | 'lora' | 'nb_iot' | 'cellular';
  readonly fault: FaultCode | null;
  readonly obedience: Obedience;
  /** Its clock is so many days ahead, or behind (negative); 0: it is right as far as clocks are. */
  readonly clockDaysAhead: number;
}

export interface Loop {
  readonly box: number;
  /** 1–6 in its box. */
  readonly number: number;
  readonly phase: 'A' | 'B' | 'C';
  /** Volts above the transformer's mean, and lost at the far end under full load. */
  readonly tapVolts: number;
  readonly dropVolts: number;
  readonly lamps: readonly number[];
}

/** A control box with its central controller. */
export interface Box {
  readonly code: string;
  readonly controllerCode: string;
  readonly name: string;
  readonly street: number;
  readonly at: Point;
  readonly transformer: number;
  readonly loops: readonly number[];
  /** Its controller has been silent for some time (N302). */
  readonly silent: boolean;
}

export interface Transformer {
  readonly code: string;
  readonly at: Point;
  readonly capacityKva: number;
}

/** A device on a pole, beside it or in a box that is no lamp: a screen, a camera, a manhole cover … */
export interface Equipment {
  readonly family: EquipmentFamily;
  readonly code: string;
  /** In its family, from 1. */
  readonly number: number;
  /** The pole that carries it, or the next one. */
  readonly pole: number;
  readonly at: Point;
  readonly box: number | null;
  /** Its make: the option of its family's kind. */
  readonly kind: string;
  /** Position of the gateway that connects it; null: it has a line of its own. */
  readonly gateway: number | null;
  readonly trouble: Trouble | null;
}

/** Stories of a city, by the positions of who has a part in them; null where a city has none. */
export interface Dramas {
  /** Loses its supply each evening for some minutes. */
  readonly failingBox: number | null;
  /** A loop is cut before the lamp at this position along it. */
  readonly cut: { readonly loop: number; readonly from: number } | null;
  /** Its driver loses power and power factor for weeks. */
  readonly dyingLamp: number | null;
  /** Its relay is stuck: it burns by day. */
  readonly stuckLamp: number | null;
}

export interface Area {
  readonly outline: readonly Point[];
  readonly name?: string;
  readonly height?: number;
}

export interface City {
  readonly seed: number;
  readonly streets: readonly Street[];
  readonly poles: readonly Pole[];
  readonly lamps: readonly Lamp[];
  readonly loops: readonly Loop[];
  readonly boxes: readonly Box[];
  readonly transformers: readonly Transformer[];
  readonly equipment: readonly Equipment[];
  readonly dramas: Dramas;
  readonly water: readonly Area[];
  readonly parks: readonly Area[];
  readonly blocks: readonly Area[];
  readonly buildings: readonly Area[];
}
