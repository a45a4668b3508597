import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Equipment groups: devices that are switched together. */
export default function Groups() {
  return <RecordScreen record="equipment-group" screen="asset/groups" />;
}
