import type {
  getHome,
  getHomeChanges,
  getHomeCurve,
  getHomeMap,
  getHomeSince,
} from '../../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';

export type Home = ReplyOf<typeof getHome>;
export type HomeCurve = ReplyOf<typeof getHomeCurve>;
export type HomeChanges = ReplyOf<typeof getHomeChanges>;
export type HomeLine = HomeChanges['open']['data'][number];
export type HomeMap = ReplyOf<typeof getHomeMap>;
export type Away = NonNullable<ReplyOf<typeof getHomeSince>['away']>;
