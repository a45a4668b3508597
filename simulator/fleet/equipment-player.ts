import { ackOut, readingsOut, type OutReading } from '../../protocols/mqtt-json/device.ts';
import type { CommandMessage, SettingsMessage } from '../../protocols/mqtt-json/messages.ts';
import type { Credential } from '../city/handover.ts';
import type { Unit } from '../equipment/index.ts';
import type { Agenda } from './agenda.ts';
import { openConnection } from './connection.ts';
import { StationLine } from './station-line.ts';

export interface EquipmentParts {
  readonly unit: Unit;
  readonly credential: Credential;
  readonly broker: string;
  readonly agenda: Agenda;
  readonly random: () => number;
  readonly now: () => number;
  /** It reported nothing from here on; null: it reports. Negative infinity: it never did. */
  readonly silentSince: number | null;
  /** Silent though its line is up. */
  readonly mute: boolean;
  /** It was sent its settings. */
  readonly told: (settings: SettingsMessage) => void;
  readonly failed: (code: string, reason: string) => void;
}

/** What the server sends after the line is up comes within this time: where the sun stands is in it, ms. */
const settleMs = 2500;
/** What it missed while its line was down, at most. */
const mostMissed = 300;

/** Plays one device that is no lamp: its own line, its reports, and an answer when it is asked for a reading. */
export class EquipmentPlayer {
  readonly parts: EquipmentParts;
  readonly line = new StationLine();
  #toldTo: number | null = null;

  constructor(parts: EquipmentParts) {
    this.parts = parts;
  }

  get deviceId(): number {
    return this.parts.credential.deviceId;
  }
  /** It has a line once it was delivered what it had to tell. */
  get hasLine(): boolean {
    return this.parts.silentSince === null || this.parts.mute;
  }
  /** It was never switched on. */
  get never(): boolean {
    return this.parts.silentSince === Number.NEGATIVE_INFINITY;
  }

  open(ready: () => void): void {
    const { credential, broker, random, now, unit, failed, told } = this.parts;
    this.line.connection = openConnection({
      broker,
      credential,
      hasChildren: false,
      quiet: !this.hasLine,
      random,
      now,
      settingsVersion: () => null,
      ofPlan: () => ({}),
      heard: (heard) => {
        if (heard.address.deviceId !== this.deviceId) return;
        if (heard.kind === 'settings') told(heard.settings);
        else this.#command(heard.command);
      },
      ready: () => {
        this.#begin();
        ready();
      },
      failed: (reason) => failed(unit.code, reason),
    });
  }
  close(): void {
    this.line.connection?.stop();
  }
  leave = async (): Promise<void> => this.line.connection?.leave();

  /** What it would have reported in a time, on its grid; `stepMs`: on a coarser one. */
  *history(from: number, to: number, stepMs?: number): Generator<OutReading> {
    const { unit, silentSince } = this.parts;
    const until = Math.min(to, silentSince ?? to);
    for (let at = unit.nextReport(from, stepMs); at < until; at = unit.nextReport(at, stepMs)) yield unit.reading(at);
  }

  /** Sends readings through its own line; resolves when the broker has them. */
  async send(readings: readonly OutReading[]): Promise<void> {
    for (const out of readingsOut({ deviceId: this.deviceId, viaId: null }, this.parts.now(), readings))
      await this.line.publish(out);
  }

  #begin(): void {
    const { agenda, now, silentSince } = this.parts;
    if (silentSince !== null) return;
    if (this.#toldTo === null) {
      this.#toldTo = now();
      agenda.at(now() + settleMs, () => this.#tick());
      return;
    }
    const missed = [...this.history(this.#toldTo, now())].slice(-mostMissed);
    this.#toldTo = now();
    void this.send(missed).catch(() => undefined);
  }

  #tick(): void {
    const { agenda, now, unit } = this.parts;
    this.#report();
    agenda.at(unit.nextReport(now()), () => this.#tick());
  }

  #report(): void {
    const { now, unit } = this.parts;
    if (!this.line.connected) return;
    this.#toldTo = now();
    void this.send([unit.reading(now())]).catch(() => undefined);
  }

  #command(message: CommandMessage): void {
    const { agenda, now } = this.parts;
    const outcome =
      now() >= Date.parse(message.expiresAt)
        ? { error: 'expired' }
        : message.command === 'read'
          ? { executedAt: now() }
          : { error: 'unknownCommand' };
    const ack = ackOut({ deviceId: this.deviceId, viaId: null }, message.commandId, outcome);
    void this.line.publish(ack).catch(() => undefined);
    if ('executedAt' in outcome) agenda.at(now() + 200, () => this.#report());
  }
}
