import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Work areas: what accounts see and where everything else belongs. */
export default function WorkAreas() {
  return <RecordScreen record="work-area" screen="asset/work-areas" />;
}
