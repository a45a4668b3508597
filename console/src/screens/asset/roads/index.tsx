import { RecordScreen } from '../../../parts/RecordScreen.tsx';

/** Roads. */
export default function Roads() {
  return <RecordScreen record="road" screen="asset/roads" />;
}
