import { ackOut, readingsOut } from '../../protocols/mqtt-json/device.ts';
import type { CommandMessage } from '../../protocols/mqtt-json/messages.ts';
import type { Agenda } from './agenda.ts';
import type { Cabinet, CabinetMemory } from './cabinet.ts';
import type { Line } from './lamp-player.ts';

export interface ControllerParts {
  readonly deviceId: number;
  readonly code: string;
  readonly cabinet: Cabinet;
  readonly agenda: Agenda;
  readonly line: Line;
  readonly now: () => number;
  readonly seed: number;
  readonly silentSince: number | null;
}

/** A controller reports every 5 minutes, which is its heartbeat too. */
export const controllerPeriodMs = 300_000;

/** The next time of a controller's reporting grid after `at`; `stepMs`: of a coarser one. */
export const nextControllerReport = (seed: number, at: number, stepMs = controllerPeriodMs): number => {
  const phase = seed % controllerPeriodMs;
  return Math.floor((at - phase) / stepMs + 1) * stepMs + phase;
};

/** Plays one central controller's own part; its lamps have players of their own. */
export class ControllerPlayer {
  readonly parts: ControllerParts;
  readonly origin: Readonly<CabinetMemory>;
  #begun = false;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.origin = { ...parts.cabinet.memory };
  }

  get begun(): boolean {
    return this.#begun;
  }

  connected(): void {
    if (this.parts.silentSince !== null) return;
    if (this.#begun) {
      this.#report();
      return;
    }
    this.#begun = true;
    this.#tick();
  }

  /** Measures and sends now; nothing before its line was up. */
  report(): void {
    if (this.#begun) this.#report();
  }

  command(message: CommandMessage): void {
    const { deviceId, line, now } = this.parts;
    const address = { deviceId, viaId: null };
    const expired = now() >= Date.parse(message.expiresAt);
    const outcome = expired
      ? { error: 'expired' }
      : message.command === 'read'
        ? { executedAt: now() }
        : { error: 'unknownCommand' };
    void line.publish(ackOut(address, message.commandId, outcome)).catch(() => undefined);
    if ('executedAt' in outcome) this.parts.agenda.at(now() + 200, () => this.#report());
  }

  #tick(): void {
    const { agenda, now, seed } = this.parts;
    this.#report();
    agenda.at(nextControllerReport(seed, now()), () => this.#tick());
  }

  #report(): void {
    const { line, cabinet, now, deviceId } = this.parts;
    if (!line.connected) return;
    for (const out of readingsOut({ deviceId, viaId: null }, now(), [cabinet.reading(now())]))
      void line.publish(out).catch(() => undefined);
  }
}
