import { setFlagsFromString } from 'node:v8';

/**
 * How much garbage may lie beside what is in use before it is looked for, in hundredths of that. V8 lets a heap with
 * room to grow become four times what is in use: after a database that stood still the program had 766 MiB, some 100 of
 * them in use, with this 524; it cost 8 % of its processor time in those minutes (docs/soak.md).
 */
const garbagePercent = 100;

/**
 * Keeps the memory of this process near to what it uses; V8 asks for the figure with every collection, so that it may
 * be set while it runs.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
}
