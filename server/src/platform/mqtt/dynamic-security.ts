import { randomBytes } from 'node:crypto';
import type { BrokerAccount } from './broker.ts';
import type { Connection } from './connection.ts';

/** Mosquitto's dynamic-security plugin: accounts and rights over its control topic. */
const control = '$CONTROL/dynamic-security/v1';
const accountsPerRequest = 25;
const answerMs = 15_000;
const serverRole = 'lampyris-server';

interface Order {
  readonly command: string;
  readonly [name: string]: unknown;
}
interface Answer {
  readonly command: string;
  readonly error?: string;
  readonly data?: unknown;
  readonly correlationData?: string;
}

const topicRule = (acltype: string, topic: string) => ({ acltype, topic, priority: 0, allow: true });
const roleOf = (username: string) => `${username}-role`;

export class DynamicSecurity {
  readonly #connection: Connection;
  // Every process hears the answers to all: process ids are the same in many containers.
  readonly #name = `lampyris-${randomBytes(6).toString('hex')}`;
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #next = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Whether the plugin answers us; needs an account that may use the control topic. */
  async reach(): Promise<boolean> {
    try {
      const refused = await this.#connection.subscribe([`${control}/response`]);
      if (refused.length > 0) return false;
      const [answer] = await this.#ask([{ command: 'getDefaultACLAccess' }], 3000);
      return answer !== undefined && answer.error === undefined;
    } catch {
      return false;
    }
  }

  /** Whether devices without a right may publish or subscribe all the same: then rights protect nothing. */
  async openByDefault(): Promise<boolean> {
    const [answer] = await this.#ask([{ command: 'getDefaultACLAccess' }]);
    const { acls = [] } = (answer?.data ?? {}) as { acls?: readonly { acltype: string; allow: boolean }[] };
    return acls.some(({ acltype, allow }) => allow && (acltype === 'publishClientSend' || acltype === 'subscribe'));
  }

  /**
   * Gives our own account what the program itself needs; true when that is new: the broker then ends its connections.
   */
  async grantServer(username: string, prefix: string): Promise<boolean> {
    const [client] = await this.#ask([{ command: 'getClient', username }]);
    const { client: own } = (client?.data ?? {}) as { client?: { roles?: readonly { rolename: string }[] } };
    if (own?.roles?.some((role) => role.rolename === serverRole)) return false;
    const acls = ['publishClientSend', 'publishClientReceive', 'subscribePattern', 'unsubscribePattern'].map((type) =>
      topicRule(type, `${prefix}/#`),
    );
    // The connection may end before the answer.
    await this.#ask([
      { command: 'createRole', rolename: serverRole, acls },
      { command: 'addClientRole', username, rolename: serverRole, priority: 0 },
    ]).catch(() => undefined);
    return true;
  }

  async grant(accounts: readonly BrokerAccount[]): Promise<void> {
    const known = await this.#known();
    for (let start = 0; start < accounts.length; start += accountsPerRequest) {
      const some = accounts.slice(start, start + accountsPerRequest);
      // Away first: that ends the connections of an older secret.
      await this.revoke(
        some.map((account) => account.username).filter((name) => known.has(name) || known.has(roleOf(name))),
      );
      fail(
        await this.#ask(
          some.flatMap(({ clientId, username, password, rights }) => [
            {
              command: 'createRole',
              rolename: roleOf(username),
              acls: [
                ...rights.publish.map((topic) => topicRule('publishClientSend', topic)),
                ...rights.subscribe.flatMap((topic) => [
                  topicRule('subscribePattern', topic),
                  topicRule('publishClientReceive', topic),
                ]),
              ],
            },
            {
              command: 'createClient',
              username,
              password,
              ...(clientId === null ? {} : { clientid: clientId }),
              roles: [{ rolename: roleOf(username), priority: 0 }],
            },
          ]),
        ),
      );
    }
  }

  async accounts(): Promise<string[]> {
    const [answer] = await this.#ask([{ command: 'listClients' }]);
    if (answer?.error !== undefined) throw new Error(`the broker does not list its accounts: ${answer.error}`);
    return names(answer, 'clients');
  }

  /** Names of all accounts and roles: the plugin writes its file at every order, so none is given in vain. */
  async #known(): Promise<ReadonlySet<string>> {
    const [clients, roles] = await this.#ask([{ command: 'listClients' }, { command: 'listRoles' }]);
    return new Set([...names(clients, 'clients'), ...names(roles, 'roles')]);
  }

  async revoke(usernames: readonly string[]): Promise<void> {
    for (let start = 0; start < usernames.length; start += accountsPerRequest) {
      const some = usernames.slice(start, start + accountsPerRequest);
      await this.#ask(
        some.flatMap((username) => [
          { command: 'deleteClient', username },
          { command: 'deleteRole', rolename: roleOf(username) },
        ]),
      );
    }
  }

  /** Takes an answer of the plugin; false for any other message. */
  take(topic: string, payload: Buffer): boolean {
    if (topic !== `${control}/response`) return false;
    const { responses = [] } = JSON.parse(payload.toString()) as { responses?: readonly Answer[] };
    for (const answer of responses) {
      const key = answer.correlationData ?? '';
      this.#waiting.get(key)?.(answer);
      this.#waiting.delete(key);
    }
    return true;
  }

  async #ask(orders: readonly Order[], patienceMs = answerMs): Promise<Answer[]> {
    const keys = orders.map(() => `${this.#name}-${this.#next++}`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the broker’s dynamic-security plugin does not answer')), patienceMs);
    });
    const answers = Promise.all(keys.map((key) => new Promise<Answer>((resolve) => this.#waiting.set(key, resolve))));
    try {
      const commands = orders.map((order, index) => ({ ...order, correlationData: keys[index] }));
      await Promise.race([
        this.#connection.publish(control, JSON.stringify({ commands }), { qos: 1, retain: false }),
        late,
      ]);
      return await Promise.race([answers, late]);
    } finally {
      clearTimeout(timer);
      for (const key of keys) this.#waiting.delete(key);
    }
  }
}

function fail(answers: readonly Answer[]): void {
  const wrong = answers.find((answer) => answer.error !== undefined);
  if (wrong) throw new Error(`the broker refused ${wrong.command}: ${wrong.error}`);
}

function names(answer: Answer | undefined, key: string): string[] {
  const list = ((answer?.data ?? {}) as Record<string, unknown>)[key];
  return Array.isArray(list) ? list.map(String) : [];
}
