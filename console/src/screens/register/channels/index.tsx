import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Channels: over what devices with authentication are reached. */
export default function Channels() {
  return <RecordScreen record="channel" screen="asset/channels" />;
}
