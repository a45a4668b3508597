import type { StateName } from '../../light/lamps/index.ts';
import type { Raised } from '../alarms/index.ts';

/** What the judgement says of one device. */
export interface Judgement {
  readonly state: StateName;
  readonly online: boolean;
  /** null: not known. */
  readonly lit: boolean | null;
  readonly shouldBeLit: boolean | null;
  readonly level: number | null;
  /** The fault that is shown: of a device out of reach that of its link, else the worst it has. */
  readonly fault: string | null;
  readonly faultSince: number | null;
  /** All that it has, the worst first; null: it is out of reach, and keeps what it had. */
  readonly faults: readonly Raised[] | null;
  /** Silent, and without power: that is no fault. */
  readonly unpowered: boolean;
}
