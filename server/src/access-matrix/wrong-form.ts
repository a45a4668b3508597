import type { Ask } from './ask.ts';
import type { Things } from './things.ts';

/** A call wrong in its shape and by a rule at once, and what its answer names. */
interface WrongForm extends Ask {
  readonly names: readonly string[];
}
export type WrongForms = Readonly<Record<string, (things: Things) => WrongForm | Promise<WrongForm>>>;
