import type { Outgoing } from '../../protocols/wire.ts';
import { ackOut, readingsOut, type DeviceAddress, type OutReading } from '../../protocols/mqtt-json/device.ts';
import type { CommandMessage, SettingsMessage } from '../../protocols/mqtt-json/messages.ts';
import type { Lamp, LampMemory } from '../lamp/lamp.ts';
import type { LampSettings } from '../lamp/spec.ts';
import type { Agenda } from './agenda.ts';
import { lampSettings } from './settings.ts';

/** The way to the broker: a lamp's own connection, or its controller's. */
export interface Line {
  readonly connected: boolean;
  publish(out: Outgoing): Promise<void>;
  /** Tells the settings it runs with; a lamp behind a controller cannot. */
  announce(): void;
  /** Says that it is there at least so often, from the next connection on. */
  keepAlive(seconds: number): void;
}

export interface PlayerParts {
  readonly address: DeviceAddress;
  readonly code: string;
  readonly lamp: Lamp;
  readonly agenda: Agenda;
  readonly line: Line;
  readonly random: () => number;
  /** True time, epoch ms; the lamp's own clock is off by its spec's offset. */
  readonly now: () => number;
  /** The lamp was silent from here on (true time); null: it speaks. */
  readonly silentSince: number | null;
  /** It has a day to tell, which is delivered for it, before it speaks for itself: until `release`. */
  readonly held: boolean;
}

/** What a lamp's backlog is reckoned from. */
export interface LampPast {
  readonly memory: Readonly<LampMemory>;
  readonly settings: LampSettings;
}

/**
 * How a test wants a lamp to behave: `mute` says nothing at all, `deaf` reports but hears no command, `unpowered` has no
 * power.
 */
export type Manners = 'normal' | 'mute' | 'deaf' | 'unpowered';

/** Reading after a command: when the lamp has settled, ms. */
const settleMs = 350;
const settingsPatienceMs = 6000;
const mostMissed = 200;
/** After power returned a lamp learns the time so late, ms. */
const wakingMs = 45_000;

/** Plays one lamp over the wire: reports, answers, and keeps what it could not send. */
export class LampPlayer {
  readonly parts: PlayerParts;
  #manners: Manners = 'normal';
  /** Its cabinet has no supply, whatever a test wants of it. */
  #blackedOut = false;
  #lamp: Lamp;
  #begun = false;
  #ready = false;
  #held: boolean;
  #waiting = false;
  #cancel: (() => void) | null = null;
  #missed: OutReading[] = [];
  #origin: LampMemory;
  #watts = 0;
  #past: LampPast | null = null;
  /** It has told what it can since its line came up; one that speaks for itself tells it in its status. */
  #told = false;
  /** Since when its line is down, true time. */
  #awayFrom: number | null = null;

  constructor(parts: PlayerParts) {
    this.parts = parts;
    this.#lamp = parts.lamp;
    this.#held = parts.held;
    this.#origin = { ...parts.lamp.memory };
  }

  get lamp(): Lamp {
    return this.#lamp;
  }
  get manners(): Manners {
    return this.#manners;
  }
  /** It speaks, or would if it were not held. */
  get ready(): boolean {
    return this.#ready;
  }
  /** What it took when it last measured. */
  get watts(): number {
    return this.#watts;
  }
  /** Its memory when the simulation began: where its backlog starts. */
  get origin(): Readonly<LampMemory> {
    return this.#origin;
  }
  /**
   * Where its backlog starts, and the settings it ran by until now. Asked for the first time, or when the lamp first
   * measures, it stays as it is: settings that come later hold from then on, so that what is told of earlier and the
   * counters of now are of one lamp.
   */
  get past(): LampPast {
    this.#past ??= { memory: this.#origin, settings: this.#lamp.settings };
    return this.#past;
  }
  get #deviceNow(): number {
    return this.parts.now() + this.#lamp.spec.clockOffsetMs;
  }

  /** Its line is up. The first time it waits a little for its settings before it speaks. */
  connected(): void {
    if (this.parts.silentSince !== null) return;
    this.#told = false;
    if (this.#begun) {
      this.#sendMissed();
    } else if (!this.#waiting) {
      this.#waiting = true;
      this.parts.agenda.at(this.parts.now() + settingsPatienceMs, () => this.#begin());
    }
  }

  adopt(message: SettingsMessage): void {
    const next = lampSettings(message, this.#lamp.settings);
    const known = this.#lamp.settings.version === next.version && this.#begun;
    if (known) return;
    if (this.#past) this.#goOn();
    const [before, ran] = [this.#lamp.commandLevel, this.#lamp.ofPlan.planHash];
    this.#lamp.adopt(next);
    if (this.parts.address.viaId === null && this.#lamp.spec.ownTable === null) this.parts.line.announce();
    if (this.parts.address.viaId === null && next.heartbeatSeconds !== undefined)
      this.parts.line.keepAlive(next.heartbeatSeconds);
    if (!this.#begun) this.#begin();
    else if (this.#lamp.commandLevel !== before || this.#lamp.ofPlan.planHash !== ran)
      this.#soon(300 + this.parts.random() * 8000);
    else this.#schedule();
  }

  command(message: CommandMessage): void {
    if (this.parts.silentSince !== null || this.#manners !== 'normal' || !this.#powered) return;
    const { link } = this.#lamp.spec;
    const { random, agenda, now } = this.parts;
    // The radio tries again once; what is lost twice is lost.
    const lost = random() < link.loss;
    if (lost && random() < link.loss) return;
    agenda.at(now() + this.#delay() + (lost ? 1300 : 0), () => this.#execute(message));
  }

  /** What it had to tell is told. */
  release(): void {
    this.#held = false;
    if (this.#ready) this.#begin();
  }

  /** Becomes another lamp at the same place: a scenario's fault begins or ends. */
  become(lamp: Lamp): void {
    this.#lamp = lamp;
    if (this.#begun) this.#soon(0);
  }

  /** Behaves otherwise from now on. */
  behave(manners: Manners): void {
    const before = this.#powered;
    this.#manners = manners;
    this.#powerChanged(before);
  }

  /** Its cabinet loses its supply, or has it again. */
  blackOut(blackedOut: boolean): void {
    const before = this.#powered;
    this.#blackedOut = blackedOut;
    this.#powerChanged(before);
  }

  get #powered(): boolean {
    return this.#manners !== 'unpowered' && !this.#blackedOut;
  }

  /** One whose power returns shines as it was told to until it knows the time. */
  #powerChanged(before: boolean): void {
    const powered = this.#powered;
    if (powered === before) return;
    this.#goOn();
    this.#lamp.supply(powered ? 'waking' : 'off');
    if (!powered || !this.#begun) return;
    this.#soon(settleMs);
    const { agenda, now } = this.parts;
    agenda.at(now() + wakingMs, () => {
      if (!this.#powered) return;
      this.#goOn();
      this.#lamp.supply('on');
      this.#soon(settleMs);
    });
  }

  /** Its power is gone: what is left in it suffices to say so. */
  lastWord(): void {
    if (!this.#begun) return;
    this.#goOn();
    this.#lamp.supply('off');
    this.report();
  }

  /** Measures and sends now. */
  report(): void {
    this.#goOn();
    this.#awayFrom = this.parts.line.connected ? null : (this.#awayFrom ?? this.parts.now());
    this.#send(this.#lamp.reading(this.#awayFrom === null ? 0 : this.parts.now() - this.#awayFrom));
  }

  #goOn(): void {
    this.#past = this.past;
    this.#lamp.advance(this.#deviceNow);
  }

  #begin(): void {
    if (this.#begun || this.parts.silentSince !== null) return;
    this.#ready = true;
    if (this.#held) return;
    this.#begun = true;
    this.report();
    this.#schedule();
  }

  #execute(message: CommandMessage): void {
    this.#goOn();
    const outcome = this.#lamp.execute({
      commandId: message.commandId,
      command: message.command,
      args: message.args,
      expiresAt: Date.parse(message.expiresAt),
      until: message.until === null ? null : Date.parse(message.until),
      turn: message.turn,
    });
    this.#later(this.#delay(), ackOut(this.parts.address, message.commandId, outcome));
    if (message.command === 'readPlan') this.#told = false;
    if ('executedAt' in outcome) this.#soon(settleMs);
  }

  /** A full reading in a moment, then the usual ones again. */
  #soon(ms: number): void {
    const { agenda, now } = this.parts;
    agenda.at(now() + ms, () => {
      this.report();
      this.#schedule();
    });
  }

  #schedule(): void {
    this.#cancel?.();
    const { seed, clockOffsetMs } = this.#lamp.spec;
    // Thousands switch at the same moment; they tell it one after the other.
    const due = Math.min(this.#lamp.nextReport(), this.#lamp.nextEdge() + 400 + (seed % 11_000));
    this.#cancel = this.parts.agenda.at(due - clockOffsetMs, () => {
      this.report();
      this.#schedule();
    });
  }

  #send(reading: OutReading): void {
    this.#watts = Number(reading.values['power'] ?? 0);
    if (this.#manners === 'mute' || !this.#powered) return;
    if (!this.parts.line.connected) {
      this.#keep(reading);
      return;
    }
    const { loss, delayMs } = this.#lamp.spec.link;
    const out = () => this.#readings([reading]);
    // What was lost is sent again after a second and a few round trips of that link.
    const resendMs = 1000 + delayMs * (2 + this.parts.random() * 2);
    if (this.parts.random() < loss)
      this.parts.agenda.at(this.parts.now() + resendMs, () => this.#publish(out(), [reading]));
    else this.#publish(out(), [reading]);
  }

  #sendMissed(): void {
    const missed = this.#missed;
    this.#missed = [];
    this.#publish(this.#readings(missed), missed);
  }

  #readings(readings: readonly OutReading[]): Outgoing[] {
    const { ofPlan } = this.#lamp;
    const tellsAbility = !this.#told && readings.length > 0 && this.parts.address.viaId !== null;
    this.#told ||= readings.length > 0;
    return readingsOut(
      this.parts.address,
      this.#deviceNow,
      readings,
      tellsAbility || ofPlan.planHash === undefined ? ofPlan : { planHash: ofPlan.planHash },
    );
  }

  #publish(messages: readonly Outgoing[], kept: readonly OutReading[]): void {
    Promise.all(messages.map((message) => this.parts.line.publish(message))).catch(() =>
      kept.forEach((reading) => this.#keep(reading)),
    );
  }

  #keep(reading: OutReading): void {
    this.#missed.push(reading);
    if (this.#missed.length > mostMissed) this.#missed.shift();
  }

  #later(ms: number, out: Outgoing): void {
    this.parts.agenda.at(this.parts.now() + ms, () => void this.parts.line.publish(out).catch(() => undefined));
  }

  #delay(): number {
    return this.#lamp.spec.link.delayMs * (0.7 + 0.6 * this.parts.random());
  }
}
