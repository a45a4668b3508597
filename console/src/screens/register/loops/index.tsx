import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Loops: the circuits of control boxes that lamps and poles hang on. */
export default function Loops() {
  return <RecordScreen record="loop" screen="asset/loops" />;
}
