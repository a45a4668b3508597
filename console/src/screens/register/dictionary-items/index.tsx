import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** The values of all dictionaries; the address says of which one. */
export default function DictionaryItems() {
  return <RecordScreen record="dictionary-item" screen="asset/dictionary-items" />;
}
