/** The small pieces every screen is made of; `screens/gallery` shows them all in both themes. */
export { Icon, iconNameOf, type IconName } from './icon/Icon.tsx';
export { IconPicker } from './icon/IconPicker.tsx';
export { StateMark, StateShape, type MarkState } from './StateMark.tsx';
export { TruthLine, TruthTicks, useStateWord, type Truth } from './TruthLine.tsx';
export { Alert, Refusal } from './Alert.tsx';
export { Empty, ErrorState, NoPermission, RefreshBar, Skeleton, StaleNote } from './Notices.tsx';
export { useErrorText } from './error-text.ts';
export { toast } from '../frame/toast-store.ts';
export { Toasts } from './Toasts.tsx';
export { NotRefreshed, PageRegion } from './Freshness.tsx';
export { Card, Page, PageBar } from './PageBar.tsx';
export { LevelGlow, LevelMeter } from './LevelMeter.tsx';
export { formatNumber, formatPercent } from '../locales/format-number.ts';
export { Quantity } from '../fields/Quantity.tsx';
export { formatBytes } from '../locales/format-bytes.ts';
export { formatList } from '../locales/format-list.ts';
export { RelativeTime } from './time/RelativeTime.tsx';
export { instantOf, useTime, useZone, zoneOffset } from './time/zone.ts';
