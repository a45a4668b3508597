import { Budgets } from './budget.ts';
import { LatelySeen } from './lately-seen.ts';
import { WaitingLine } from './waiting-line.ts';

/** Refused sign-ins of one name from one address: a badly configured device tries without end. */
const ofName = { burst: 20, perSecond: 0.2 };
/** Of one address, under whatever names: devices of a whole district may stand behind one. */
const ofAddress = { burst: 300, perSecond: 5 };
/**
 * A check costs one question to the database and a hash. Checks for an address that guesses run one after the other, at
 * this distance (ms), and a limited number may wait.
 */
const pauseMs = 20;
const mostWaiting = 200;
const mostWaitingOfName = 20;
const mostRemembered = 20_000;
/** As many as a broker takes: every device that is connected is known. */
const mostKnown = 50_000;

/**
 * Bounds what guessing costs. A name with too many refused sign-ins has its next ones checked one after the other, and
 * so has an address with too many of any names; but a name that was let in before from there, and was not guessed at,
 * is checked at once: what its neighbours behind the same address do costs it nothing.
 */
export class WrongPasswords {
  readonly #names = new Budgets(ofName, mostRemembered);
  readonly #addresses = new Budgets(ofAddress, mostRemembered);
  readonly #known = new LatelySeen(mostKnown);
  readonly #line = new WaitingLine(pauseMs);

  /** Runs the check, perhaps later; undefined: too many wait already, and it was not run. */
  async check<T>(address: string, username: string, work: () => Promise<T>): Promise<T | undefined> {
    const name = nameFrom(address, username);
    const now = performance.now();
    const isGuessed = this.#names.owed(name, now) > 0;
    const ofAll =
      this.#addresses.owed(address, now) > 0 && (isGuessed || !this.#known.has(name))
        ? () => this.#line.run(address, mostWaiting, work)
        : work;
    return await (isGuessed ? this.#line.run(name, mostWaitingOfName, ofAll) : ofAll());
  }

  /** A sign-in was refused. */
  refused(address: string, username: string): void {
    const now = performance.now();
    this.#names.take(nameFrom(address, username), 1, now);
    this.#addresses.take(address, 1, now);
  }

  /** A sign-in was right. */
  passed(address: string, username: string): void {
    this.#known.note(nameFrom(address, username));
  }
}

const nameFrom = (address: string, username: string): string => `${address} ${username.slice(0, 100)}`;
