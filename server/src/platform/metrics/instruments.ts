/**
 * What is measured of this process, in the words of Prometheus. Every label takes few values: beyond these a value is
 * counted as `other`.
 */
const mostSeries = 300;

export type Labels = Readonly<Record<string, string>>;
interface Series {
  readonly labels: string;
}

abstract class Instrument<S extends Series> {
  readonly name: string;
  readonly help: string;
  readonly #names: readonly string[];
  readonly #series = new Map<string, S>();

  constructor(name: string, help: string, names: readonly string[]) {
    this.name = name;
    this.help = help;
    this.#names = names;
  }

  protected abstract begin(labels: string): S;

  protected at(labels: Labels): S {
    const text = this.#textOf(labels);
    const known = this.#series.get(text);
    if (known) return known;
    const key =
      this.#series.size < mostSeries
        ? text
        : this.#textOf(Object.fromEntries(this.#names.map((name) => [name, 'other'])));
    const series = this.#series.get(key) ?? this.begin(key);
    this.#series.set(key, series);
    return series;
  }

  protected all(): S[] {
    return [...this.#series.values()];
  }

  /** Forgets every value: for values that are gathered again before each answer. */
  clear(): void {
    this.#series.clear();
  }

  abstract lines(): string[];

  #textOf(labels: Labels): string {
    return this.#names.map((name) => `${name}="${(labels[name] ?? '').replaceAll(/[\\"\n]/g, '_')}"`).join(',');
  }
}

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${Number.isNaN(value) ? 'NaN' : value}`;
const headed = (one: { name: string; help: string }, type: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [`# HELP ${one.name} ${one.help}`, `# TYPE ${one.name} ${type}`, ...lines];

interface NumberSeries extends Series {
  value: number;
}

/** A number that only grows while the process lives. */
export class Counter extends Instrument<NumberSeries> {
  protected begin(labels: string): NumberSeries {
    return { labels, value: 0 };
  }
  add(value = 1, labels: Labels = {}): void {
    this.at(labels).value += value;
  }
  /** Takes over what another part counts. */
  set(value: number, labels: Labels = {}): void {
    this.at(labels).value = value;
  }
  lines(): string[] {
    return headed(
      this,
      'counter',
      this.all().map(({ labels, value }) => sample(this.name, labels, value)),
    );
  }
}

/** A number that goes up and down. */
export class Gauge extends Instrument<NumberSeries> {
  protected begin(labels: string): NumberSeries {
    return { labels, value: 0 };
  }
  set(value: number, labels: Labels = {}): void {
    this.at(labels).value = value;
  }
  lines(): string[] {
    return headed(
      this,
      'gauge',
      this.all().map(({ labels, value }) => sample(this.name, labels, value)),
    );
  }
}

interface HistogramSeries extends Series {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** How many values were at most so large, for each of its bounds. */
export class Histogram extends Instrument<HistogramSeries> {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, names: readonly string[], bounds: readonly number[]) {
    super(name, help, names);
    this.#bounds = bounds;
  }
  protected begin(labels: string): HistogramSeries {
    return { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
  }
  observe(value: number, labels: Labels = {}): void {
    const series = this.at(labels);
    const place = this.#bounds.findIndex((bound) => value <= bound);
    if (place >= 0) series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += value;
    series.count += 1;
  }
  lines(): string[] {
    return headed(
      this,
      'histogram',
      this.all().flatMap(({ labels, counts, sum, count }) => {
        const before = labels === '' ? '' : `${labels},`;
        let below = 0;
        return [
          ...counts.map((own, place) =>
            sample(`${this.name}_bucket`, `${before}le="${this.#bounds[place]}"`, (below += own)),
          ),
          sample(`${this.name}_bucket`, `${before}le="+Inf"`, count),
          sample(`${this.name}_sum`, labels, sum),
          sample(`${this.name}_count`, labels, count),
        ];
      }),
    );
  }
}

/** Seconds, from a millisecond to a minute. */
export const briefSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
/** Seconds, from a tenth to a day. */
export const longSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 14_400, 86_400] as const;

export type AnyInstrument = Counter | Gauge | Histogram;

/** Every instrument of the process by name. */
export interface Registry {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  histogram(name: string, help: string, bounds: readonly number[], labels?: readonly string[]): Histogram;
  /**
   * Called before each answer: sets what is gathered, not counted. What it throws leaves the other figures as they are.
   */
  gather(set: () => void | Promise<void>): void;
  /** The names of all instruments. */
  readonly names: readonly string[];
  /** Prometheus' text format. */
  text(): Promise<string>;
}

/** Throws when a name is declared twice. */
export function createRegistry(): Registry {
  const instruments = new Map<string, AnyInstrument>();
  const gatherers: (() => void | Promise<void>)[] = [];
  const keep = <T extends AnyInstrument>(instrument: T): T => {
    if (instruments.has(instrument.name)) throw new Error(`the metric ${instrument.name} is declared twice`);
    instruments.set(instrument.name, instrument);
    return instrument;
  };
  return {
    counter: (name, help, labels = []) => keep(new Counter(name, help, labels)),
    gauge: (name, help, labels = []) => keep(new Gauge(name, help, labels)),
    histogram: (name, help, bounds, labels = []) => keep(new Histogram(name, help, labels, bounds)),
    gather: (set) => void gatherers.push(set),
    get names() {
      return [...instruments.keys()];
    },
    async text() {
      await Promise.allSettled(gatherers.map(async (set) => set()));
      return `${[...instruments.values()].flatMap((instrument) => instrument.lines()).join('\n')}\n`;
    },
  };
}
