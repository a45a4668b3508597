/** The small pieces every screen is made of; `screens/gallery` shows them all in both themes. */
export { Icon, iconNameOf, type IconName } from './icons/Icon.tsx';
export { StateMark, StateShape, type MarkState } from './state/StateMark.tsx';
export { TruthLine, TruthTicks, useStateWord, type Truth } from './state/TruthLine.tsx';
export { Alert, Refusal } from './notices/Alert.tsx';
export { Empty, ErrorState, NoPermission, RefreshBar, Skeleton, StaleNote } from './notices/Notices.tsx';
export { useFirstStep } from './notices/first-step.ts';
export { useErrorText } from './notices/error-text.ts';
export { toast } from '../frame/toast-store.ts';
export { Toasts } from './notices/Toasts.tsx';
export { NotRefreshed, PageRegion } from './page/Freshness.tsx';
export { Card, Page, PageBar } from './page/PageBar.tsx';
export { LevelGlow, LevelMeter } from './state/LevelMeter.tsx';
export { formatNumber, formatPercent } from '../locales/format-number.ts';
export { Quantity } from '../fields/Quantity.tsx';
export { formatBytes } from '../locales/format-bytes.ts';
export { formatList } from '../locales/format-list.ts';
export { RelativeTime } from './time/RelativeTime.tsx';
export { instantOf, useTime, useZone, zoneOffset } from './time/zone.ts';
