import type { Speaker } from '../../../../protocols/wire.ts';

/** What was asked of a device. */
interface Asked extends Speaker {
  readonly commandId: number;
}

/** So many commands of one connection are remembered; the oldest is forgotten first. */
const most = 1000;
const lastNumber = 65_535;

/**
 * Which command each number of a connection stands for: devices answer by number, some of them twice, and some on their
 * next connection. There a number begins with the command again, so that a late answer is not taken for another one's.
 */
export class Answers {
  readonly #asked = new Map<number, Asked>();
  readonly #numbers = new Map<string, number>();

  /** The number of a command, the same for every repetition. */
  numberOf({ commandId, deviceId, viaId }: Asked): number {
    const key = `${commandId} ${deviceId}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#asked;
    if (oldest && this.#asked.size >= most) {
      this.#asked.delete(oldest[0]);
      this.#numbers.delete(`${oldest[1].commandId} ${oldest[1].deviceId}`);
    }
    let number = (commandId % lastNumber) + 1;
    while (this.#asked.has(number)) number = (number % lastNumber) + 1;
    this.#asked.set(number, { commandId, deviceId, viaId });
    this.#numbers.set(key, number);
    return number;
  }

  /** What was asked under this number; undefined: nothing. */
  asked(number: number): Asked | undefined {
    return this.#asked.get(number);
  }
}
