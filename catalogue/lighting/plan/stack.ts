/**
 * Which level is in force for a lamp, and why: layers from the strongest to the weakest, each with an operation on the
 * level of the layers below it. One function for judging, answers and previews.
 */

/**
 * `local`: a selector on site or a trip, observed only. `emergency`: raises only. `manual`: a command. `linkage`: sensors
 * and rules of linkage. `exception`: a dated exception. `scheme`: the energy-saving scheme by its calendar. `default`: the
 * programme of the template, else the sun of the area. `fallback`: the device goes by its memory. `powerUp`: full level
 * until a device has a clock.
 */
export const planLayers = [
  'local',
  'emergency',
  'manual',
  'linkage',
  'exception',
  'scheme',
  'default',
  'fallback',
  'powerUp',
] as const;
export type PlanLayer = (typeof planLayers)[number];

/** What a layer does to the level below it; percent. `mul`: that share of it. */
export const levelOperations = ['set', 'min', 'max', 'add', 'sub', 'mul'] as const;
export type LevelOperation = (typeof levelOperations)[number];

/** What one layer asks for, from an instant up to another (epoch ms); null: without end. */
export interface LayerInput {
  readonly layer: PlanLayer;
  readonly op: LevelOperation;
  /** Percent; null: unknown, as a selector on site. */
  readonly value: number | null;
  readonly from: number;
  readonly until: number | null;
  /** Of a linkage: it lowers the level to this at most. */
  readonly floor?: number;
}

/** One input in the order in which it was applied, the weakest first. */
export interface TraceStep<Input> {
  readonly input: Input;
  readonly applies: boolean;
  readonly before: number;
  readonly after: number;
}

export interface LevelInForce<Input> {
  /** Percent. */
  readonly level: number;
  /** The strongest layer that the level comes from. */
  readonly layer: PlanLayer;
  readonly trace: readonly TraceStep<Input>[];
}

/** Whether an input holds at an instant. */
export const holdsAt = ({ from, until }: Pick<LayerInput, 'from' | 'until'>, at: number): boolean =>
  from <= at && (until === null || at < until);

const full = 100;
const strengths = new Map(planLayers.map((layer, index) => [layer, index]));
const weakness = ({ layer }: LayerInput): number => strengths.get(layer) ?? 0;

/**
 * The level in force at an instant. Inputs of one layer are in the order in which they were given: a later one stands
 * on the earlier ones, and the newest command hides the older ones even after its end. A lamp of which nothing is asked
 * burns at full level. `minLevel`: the lowest level that its driver holds; 0 stays 0.
 */
export function levelInForce<Input extends LayerInput>(
  at: number,
  inputs: readonly Input[],
  minLevel = 0,
): LevelInForce<Input> {
  const newest = inputs.findLast((input) => input.layer === 'manual' && input.from <= at);
  let level = full;
  let layer: PlanLayer = 'powerUp';
  const trace: TraceStep<Input>[] = [];
  // A stable order: the weakest layer first, within a layer as given.
  for (const input of inputs.toSorted((a, b) => weakness(b) - weakness(a))) {
    const applies = holdsAt(input, at) && (input.layer !== 'manual' || input === newest);
    const before = level;
    if (applies) {
      level = applied(input, before);
      const decides = input.op === 'set' && input.layer !== 'emergency';
      if (decides || level !== before) layer = input.layer;
    }
    trace.push({ input, applies, before, after: level });
  }
  return { level: level > 0 ? Math.max(level, minLevel) : 0, layer, trace };
}

function applied({ layer, op, value, floor = 0 }: LayerInput, below: number): number {
  if (value === null) return below;
  // An emergency takes no light away, and a linkage none below the floor.
  if (layer === 'emergency') return clamped(Math.max(below, value));
  const asked = clamped(operated(op, value, below));
  return layer === 'linkage' ? Math.max(asked, Math.min(below, floor)) : asked;
}

/** The level that an operation makes of the one below it, percent, not clamped. */
function operated(op: LevelOperation, value: number, below: number): number {
  switch (op) {
    case 'set':
      return value;
    case 'min':
      return Math.min(below, value);
    case 'max':
      return Math.max(below, value);
    case 'add':
      return below + value;
    case 'sub':
      return below - value;
    case 'mul':
      return (below * value) / 100;
  }
}

/** 0, or 1 to 100. */
const clamped = (level: number): number => (level <= 0 ? 0 : Math.min(full, Math.max(1, level)));
