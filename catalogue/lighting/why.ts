import type { Language } from '../languages.ts';
import type { Names } from '../names.ts';
import type { PlanLayer } from './plan/stack.ts';

/** Why a lamp is as it is, as one sentence that can be sent to who asks. The server and the console write the same. */

/** In the order in which they are looked at, and listed. */
export const suspicionCodes = [
  /** Its loop has no power, by plan or by its contactor. */
  'noPower',
  /** A selector on site is not on automatic. */
  'localControl',
  'manual',
  'emergency',
  /** It says that it runs another plan than it was told. */
  'otherPlan',
  /** It is out of reach, and goes by its memory. */
  'away',
  'clockWrong',
  /** The pattern of its row leaves it dark. */
  'plannedDark',
  /** A lit stretch that is too short is left out. */
  'minimumBurning',
  /** Its driver, or the floor, holds no lower level. */
  'floorRaised',
  'fault',
  /** Nothing came from it since it was registered. */
  'neverHeard',
  /** Its last reading is older than the last change of what is asked. */
  'oldReading',
  /** It differs, and nothing accounts for it. */
  'unknown',
] as const;
export type SuspicionCode = (typeof suspicionCodes)[number];
export const suspicionWeights = ['certain', 'likely', 'possible'] as const;
export type SuspicionWeight = (typeof suspicionWeights)[number];

/** What a layer that asks something of the lamp comes from. */
interface WhySource {
  readonly decides: boolean;
  readonly ref: {
    readonly type: 'command' | 'exception' | 'scheme' | 'schedule' | 'template' | 'device';
    readonly label: string;
    readonly version: number | null;
  } | null;
  readonly by: string | null;
  readonly approvedBy: string | null;
  readonly until: string | null;
  readonly reason: string | null;
}

/** An answer without its sentence. */
export interface WhyFacts {
  readonly lamp: string;
  readonly at: string;
  readonly timeZone: string;
  /** `level`: percent. Null: there is no reading. */
  readonly observed: { readonly level: number | null } | null;
  readonly expected: { readonly level: number; readonly layer: PlanLayer };
  readonly layers: readonly WhySource[];
  readonly agrees: boolean | null;
  readonly suspicions: readonly { readonly code: SuspicionCode }[];
  /** Of the class of its road; null: it has none. */
  readonly floor: { readonly roadClass: string; readonly level: number } | null;
}

/** Layers that people planned: what is dimmed by them is so dark as the class of the road allows. */
const planned: ReadonlySet<PlanLayer> = new Set(['scheme', 'exception', 'default', 'fallback']);

/** The floor accounts for what is seen: the plan dims the lamp, or leaves it dark in its row. */
const explains = ({ expected: { level, layer }, suspicions }: WhyFacts): boolean =>
  (planned.has(layer) && level > 0 && level < 100) ||
  suspicions.some(({ code }) => code === 'plannedDark' || code === 'floorRaised');

/** What the sentence says of the layer that decides: commands and exceptions by their reason, plans by their name. */
function sourceOf(layers: readonly WhySource[]) {
  const one = layers.find(({ decides }) => decides);
  if (!one) return null;
  const { ref, by, approvedBy, until, reason } = one;
  const isSchedule = ref?.type === 'schedule';
  const isPlan = ref?.type === 'scheme' || isSchedule || ref?.type === 'template';
  const [label, version] = isPlan ? [ref.label, ref.version] : [null, null];
  return { label, version, isSchedule, by, approvedBy, until, reason };
}

const timeIn = (language: string, timeZone: string) => {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at: string): string => format.format(new Date(at));
};

/** The sentence in the language of the names. */
export function whySentence(names: Pick<Names, 'why' | 'option'>, facts: WhyFacts, language: Language): string {
  const { lamp, at, expected, agrees, suspicions, floor } = facts;
  const observed = facts.observed?.level ?? null;
  const source = sourceOf(facts.layers);
  const time = timeIn(language, facts.timeZone);
  const say = (key: string, params: Readonly<Record<string, string | number>> = {}) => names.why(key, params);
  const seen =
    observed === null
      ? say('sentence.unread')
      : say(observed > 0 ? 'sentence.lit' : 'sentence.dark', { level: observed });
  const label = source?.label ?? null;
  const isSchedule = source?.isSchedule === true;
  const layer = say(`layer.${isSchedule ? 'schedule' : expected.layer}`);
  const origin =
    label === null
      ? layer
      : isSchedule
        ? say('sentence.ofSchedule', { layer, label })
        : say(source?.version ? 'sentence.versioned' : 'sentence.named', {
            layer,
            label,
            version: source?.version ?? '',
          });
  const asked = say(expected.level > 0 ? 'sentence.asked' : 'sentence.askedDark', { origin, level: expected.level });
  const details = [
    source?.by ? say('sentence.by', { by: source.by }) : null,
    source?.approvedBy ? say('sentence.approvedBy', { by: source.approvedBy }) : null,
    source?.until ? say('sentence.until', { at: time(source.until) }) : null,
    source?.reason ? say('sentence.reason', { reason: source.reason }) : null,
  ].filter((detail) => detail !== null);
  const causes = suspicions.map(({ code }) => say(`suspicion.${code}`)).join(say('sentence.comma'));
  const verdict = agrees === null ? 'unsure' : agrees ? 'agrees' : 'differs';
  return [
    say('sentence.opening', { lamp, at: time(at), seen, asked: [asked, ...details].join(say('sentence.comma')) }),
    say(`sentence.${verdict}`),
    ...(floor !== null && explains(facts)
      ? [say('sentence.floor', { road: names.option('roadClass', floor.roadClass), level: floor.level })]
      : []),
    ...(causes === '' ? [] : [say('sentence.causes', { causes })]),
  ].join(say('sentence.space'));
}
