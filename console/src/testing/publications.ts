import type { Static } from 'typebox';
import type { PublicationItem, PublicationSummary } from '../../../contract/light/publications.ts';

type Lamp = Static<typeof PublicationItem>;
type Publication = Static<typeof PublicationSummary>;
const at = '2026-11-20T13:46:31.000Z';

/** A publication as a whole; what a test is not about is as usual. */
export const publication = (more: Partial<Publication> = {}): Publication => ({
  id: 12,
  phase: 'proving',
  phaseSince: at,
  scheme: { id: 5, code: 'JN-03', name: '主干路', number: 7, hash: '9f3c21a0b7de' },
  template: null,
  scope: { roadIds: [1], names: ['滨江大道'] },
  effectiveFrom: '2026-11-20',
  canary: { count: 6 },
  goOn: false,
  autoRevert: true,
  criteria: { reportedPercent: 95, provenPercent: 95, litDropPoints: 2, newAlarmsPercent: 1 },
  reason: '深夜减光',
  actorName: '周敏',
  createdAt: at,
  endedAt: null,
  total: 120,
  whole: true,
  states: { proven: 100, reported: 12, diverged: 3, away: 4, cannot: 1 },
  darkens: 0,
  findings: [],
  approval: null,
  halted: null,
  judged: null,
  reverts: null,
  revertedBy: null,
  ...more,
});

/** One lamp of a publication; what a test is not about is as usual. */
export const publicationLamp = (more: Partial<Lamp> = {}): Lamp => ({
  deviceId: 1,
  code: 'BJ-0001',
  name: null,
  roadId: 1,
  roadName: '滨江大道',
  canary: false,
  state: 'told',
  planHash: '111111111111',
  reportedHash: null,
  toldAt: at,
  reportedAt: null,
  provenAt: null,
  proof: null,
  heardAt: at,
  reason: null,
  ...more,
});

/** What waits for a second person for ten minutes more; `hindrance` null: this account may decide. */
export const waitingApproval = (hindrance: 'own' | 'area' | null): NonNullable<Publication['approval']> => ({
  outcome: 'pending',
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  decision: null,
  hindrance,
});
