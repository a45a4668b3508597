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
  /** Its last reading is older than the last change of what is asked. */
  'oldReading',
  /** It differs, and nothing accounts for it. */
  'unknown',
] as const;
export type SuspicionCode = (typeof suspicionCodes)[number];
export const suspicionWeights = ['certain', 'likely', 'possible'] as const;
export type SuspicionWeight = (typeof suspicionWeights)[number];

export interface WhyFacts {
  readonly lamp: string;
  readonly at: string;
  /** Percent; null: there is no reading. */
  readonly observed: number | null;
  readonly expected: { readonly level: number; readonly layer: PlanLayer };
  /** What the deciding layer comes from. */
  readonly source: {
    readonly label: string | null;
    readonly version: number | null;
    /** It was set for the lamp itself. */
    readonly isSchedule: boolean;
    readonly by: string | null;
    readonly approvedBy: string | null;
    readonly until: string | null;
    readonly reason: string | null;
  } | null;
  readonly agrees: boolean | null;
  readonly suspicions: readonly { readonly code: SuspicionCode }[];
}

/** `time`: an instant in the language and the time zone of the sentence. */
export function whySentence(names: Pick<Names, 'why'>, facts: WhyFacts, time: (at: string) => string): string {
  const { lamp, at, observed, expected, source, agrees, suspicions } = facts;
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
    ...(causes === '' ? [] : [say('sentence.causes', { causes })]),
  ].join(say('sentence.space'));
}
