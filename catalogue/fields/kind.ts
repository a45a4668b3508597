/** Names of the rules a value can break; each has a text `rule.<name>` in the six catalogue languages. */
export const ruleNames = [
  'required',
  'type',
  'minLength',
  'maxLength',
  'characters',
  'min',
  'max',
  'range',
  'decimals',
  'option',
  'code',
  'date',
  'phone',
  'ipv4',
  'port',
  'sim',
  'idCard',
  'whole',
  'longitude',
  'latitude',
  'timeZone',
  'picture',
  'pictureSize',
  'unknown',
  'readOnly',
  'fixed',
  'together',
  'withAuthentication',
  'capacity',
  'capacityUnknown',
  'notBefore',
  'complete',
  'contradicts',
  'above',
  'resolution',
  'ratio',
  'time',
  'firstOn',
  'notFound',
  'foreignArea',
  'taken',
  'itself',
  'cycle',
  'placement',
  'poleFull',
  'dictionaryClosed',
  'dictionaryValue',
  'monthDay',
  'entries',
  'twice',
  'recurrence',
  'otherYear',
  'unreadable',
  'clockOnly',
  'patternMissing',
  'fileHash',
  'timeEmpty',
  'coordinates',
  'coordinatesFar',
  'noRecord',
] as const;
export type Rule = (typeof ruleNames)[number];
export type RuleParams = Readonly<Record<string, string | number>>;

/** The rule that a value breaks. */
export interface Fault {
  readonly rule: Rule;
  readonly params?: RuleParams;
}
/** The rule that a field of a record breaks; `field` is the wire name. */
export interface Problem extends Fault {
  readonly field: string;
}

export type Read<V> = { readonly value: V } | { readonly fault: Fault };
export const value = <V>(v: V): Read<V> => ({ value: v });
export const fault = (rule: Rule, params?: RuleParams): { fault: Fault } => ({
  fault: params ? { rule, params } : { rule },
});

export type JsonSchema = { readonly [key: string]: unknown };
/** Random numbers in [0, 1). The caller hands it in, so that a seed repeats the result. */
export type Random = () => number;

/**
 * What every field declares, whatever its kind. `key` is the wire name; odd spellings of the specification are kept.
 */
export interface BaseField {
  readonly key: string;
  readonly required?: boolean;
  /** The table column; absent: the value is stored in `props`. */
  readonly column?: string;
  /** Offered as a filter of the list, by equality. */
  readonly filter?: boolean;
  /** The list may be sorted by it. */
  readonly sort?: boolean;
  /** Set at creation, never changed. */
  readonly fixed?: boolean;
}

/** The behaviour of one kind of field. `V` is the value in the program, as it travels in JSON. */
export interface FieldKind<F extends BaseField, V> {
  /** JSON Schema of a value that is present. */
  schema(field: F): JsonSchema;
  /** The SQL type that `props ->> key` is cast to for comparing and sorting. */
  readonly sqlType: 'text' | 'double precision' | 'bigint' | 'boolean' | 'date';
  /** Reads outside data; never throws. The caller handles absent values and null. */
  read(input: unknown, field: F): Read<V>;
  /** The text in a CSV or Excel cell; `readText` reads it back to the same value. */
  toText(value: V, field: F): string;
  readText(text: string, field: F): Read<V>;
  /** A plausible value for tests and demonstrations. */
  simulate(random: Random, field: F): V;
  /** A part of an English sentence, for the documentation page. */
  docs(field: F): string;
}

/** Defines a kind; the function only supplies types. */
export const defineKind = <F extends BaseField, V>(kind: FieldKind<F, V>): FieldKind<F, V> => kind;

/** Options of a field, without what the builder adds. */
export type OptionsOf<F extends BaseField & { kind: string }> = Omit<F, 'kind' | 'key'>;

/** Whether a text has more code points; one that is far too long is not counted. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));
export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => wholeBetween(random, 0, 9)).join('');
