/** Stretches of time, in ms: `from` included, `to` not. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is known of one device: when it was out of reach, when it had no power by plan, and when nobody listened. */
export interface Story {
  readonly offline: readonly Stretch[];
  readonly unpowered: readonly Stretch[];
  readonly gaps: readonly Stretch[];
}

/** Seconds of a span. `due`: it should have been online and somebody listened. */
export interface Shares {
  readonly due: number;
  readonly online: number;
  readonly offline: number;
  readonly unpowered: number;
  readonly unknown: number;
}

/** One after the other and apart. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.filter((one) => one.to > one.from).toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}

/** What of `stretches` lies in none of `others`; both joined. */
export function without(stretches: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  return stretches.flatMap((stretch) => {
    const left: Stretch[] = [];
    let from = stretch.from;
    for (const other of others) {
      if (other.to <= from || other.from >= stretch.to) continue;
      if (other.from > from) left.push({ from, to: other.from });
      from = Math.max(from, other.to);
    }
    return from < stretch.to ? [...left, { from, to: stretch.to }] : left;
  });
}

const within = (stretches: readonly Stretch[], { from, to }: Stretch): Stretch[] =>
  stretches
    .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }))
    .filter((one) => one.to > one.from);
const secondsOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;

/**
 * 在线率 by time: online time ÷ time in which it should be online. When nobody listened nothing is known, and a lamp
 * without power by plan is asked nothing; both count on neither side.
 */
export function sharesOf(story: Story, span: Stretch): Shares {
  const gaps = joined(within(story.gaps, span));
  const unpowered = without(joined(within(story.unpowered, span)), gaps);
  const asked = without(without(span.to > span.from ? [span] : [], gaps), unpowered);
  const offline = without(without(joined(within(story.offline, span)), gaps), unpowered);
  const [due, out] = [secondsOf(asked), secondsOf(offline)];
  return { due, online: due - out, offline: out, unpowered: secondsOf(unpowered), unknown: secondsOf(gaps) };
}
