import { TruthTicks } from '../index.ts';
import { truthOf, type Item } from './commands.ts';
import { useCommandWords } from './words.ts';

/** How far a device's part of a command is proven; of a read, how far it is answered. */
export function Ticks({ item, read }: { item: Item; read: boolean }) {
  const { standing } = useCommandWords();
  return <TruthTicks truth={truthOf(item)} word={standing(item.state, read)} />;
}
