import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Roads. */
export default function Roads() {
  return <RecordScreen record="road" screen="asset/roads" />;
}
