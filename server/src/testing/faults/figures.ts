/** What a trial showed: what must hold, and the figures of how it went. */
export interface Result<Verdict> {
  readonly verdict: Verdict;
  readonly figures: Readonly<Record<string, number | string>>;
}

/** Seconds since `began` (of performance.now), to a tenth. */
export const since = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

export const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
