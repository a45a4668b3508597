import type { Labels, Registry } from './instruments.ts';

/** What a metric is now: one value, several by their labels, or null: nothing is known. */
export type Values = number | null | readonly (readonly [value: number, labels: Labels])[];

/** A metric of /metrics that another part counts: its value is taken from what the source reads. */
export interface Metric<T> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly value: (read: T) => Values;
}

/** Declares metrics in a registry and fills them before each answer. */
export type MetricSource = (registry: Registry) => void;

/** Metrics that are taken from one reading, which is made once for each answer. */
export const metricsFrom =
  <T>(read: () => T | Promise<T>, metrics: readonly Metric<T>[]): MetricSource =>
  (registry) => {
    const declared = metrics.map(({ name, help, type, labels, value }) => ({
      instrument: registry[type](name, help, labels),
      value,
    }));
    registry.gather(async () => {
      const found = await read();
      for (const { instrument, value } of declared) {
        const values = value(found);
        instrument.clear();
        if (typeof values === 'number') instrument.set(values);
        else for (const [one, labels] of values ?? []) instrument.set(one, labels);
      }
    });
  };

/** Counts by what they are called, as values of one label. */
export const byLabel = (label: string, counts: Readonly<Record<string, number>>): Values =>
  Object.entries(counts).map(([name, count]) => [count, { [label]: name }]);
