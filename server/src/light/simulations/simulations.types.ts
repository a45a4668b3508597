import type { Static } from 'typebox';
import type { YearFinding, YearMonth } from '../../../../catalogue/lighting/plan/difference.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { TestNightKind } from '../../../../catalogue/lighting/plan/test-nights.ts';
import type { YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { LampScope } from '../../../../contract/light/simulations.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';

/** One side of a request, with the content as it was then. */
export interface AskedVersion {
  readonly schemeId: number;
  readonly code: string;
  readonly name: string;
  /** Null: a draft. */
  readonly number: number | null;
  readonly content: SchemeContent;
}

export interface AskedSimulation {
  readonly scope: Static<typeof LampScope>;
  /** The work area in force when it was asked. */
  readonly workAreaId: number | null;
  readonly from: Day;
  readonly to: Day;
  /** Null: what each lamp follows. */
  readonly a: AskedVersion | null;
  readonly b: AskedVersion;
  readonly pricePerKwh: number | null;
  readonly kgCo2PerKwh: number | null;
}

/** A finding without its lamps: they stand in a table. */
export type KeptFinding = Omit<YearFinding, 'classes' | 'named'>;

export interface LevelAt {
  /** `HH:MM` of the wall clock. */
  readonly at: string;
  readonly level: number;
}
export interface ShownNight extends Readonly<Record<YearSide, readonly LevelAt[]>> {
  readonly kind: TestNightKind;
  readonly day: Day;
}

export interface Outcome {
  readonly lamps: number;
  readonly withoutPlace: number;
  readonly watts: { readonly learned: number; readonly nameplate: number; readonly unknown: number };
  readonly days: number;
  readonly months: readonly YearMonth[];
  readonly findings: readonly KeptFinding[];
  readonly testNights: readonly ShownNight[];
}
