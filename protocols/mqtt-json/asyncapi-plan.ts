import { planLimits } from '../../catalogue/lighting/limits.ts';
import { roadStagger } from '../../catalogue/lighting/stagger.ts';
import type { CompactPlan } from '../../catalogue/lighting/plan/compact.ts';
import { mostSettingsBytes } from '../wire.ts';
import { mostSpans } from './plan-message.ts';

/** How a device works by a plan: with this text and the schemas alone one can be built. */
export const planGuide = `## Working by a plan

A lamp that says \`"capabilities": {"plan": …}\` in \`status\` (behind a controller: beside \`sentAt\` of its readings message, in its first one after the controller has connected and in the answer to \`readPlan\`) may find a \`plan\` in its settings. It then follows the plan instead of \`table\`, from the lighting day \`plan.from\` on; before that day, and when the settings have no \`plan\`, the \`table\`. The table always holds what the lamp should do tonight, so a device that knows no plans, or cannot do what this one asks, is right with it: it is sent each day, half an hour before noon, the table of the coming night where that is another, and no \`plan\` once its \`capabilities\` say that it cannot follow it. Only for a device that by its \`capabilities\` follows this plan it is the usual programme, which stays the same. The message has at most ${mostSettingsBytes} bytes, ${planLimits.programmes.max} programmes of ${planLimits.periods.max} periods, ${mostSpans} spans of days.

**Which programme.** A lighting day lasts from noon to noon of the time zone and is called by the date of its evening. The programme of a lighting day is that of the span of \`days\` which holds it (both ends included), otherwise \`default\`. Days are named ${planLimits.deviceDays.max} lighting days ahead from the first of a month on, and sent again with each month. A device that was away for longer has no named days left: it works by \`default\` and goes on reporting the \`hash\` of what it has, by which the server knows. Where \`sunOffsetMinutes\` is not 0 (a demonstration), noon and clock times move by it with the sun.

**A night of a programme:**

1. An anchor is an event of the sun at the place of the settings (\`sunset\`, \`sunrise\`: zenith 90.833°; \`dusk\`, \`dawn\`: 96°; evening events of the lighting day's date, morning events of the next), a wall-clock time (from 12:00 on the evening's date, before it on the next), or \`middle\`, halfway between on and off; \`offsetMinutes\` are added. A wall-clock time that daylight saving skips is later by the gap, of a repeated one the first counts.
2. \`on\` and \`off\` are resolved and moved into their bounds \`notBefore\` and \`notAfter\`. Before on and from off on the lamp is off, always: no period lights it there.
3. The first period starts \`on\`. Of those that start at or before on the latest gives the level at on. Those that start at or after off, and those whose event of the sun does not happen, are not used. Of two that start in one instant the one by the sun holds, otherwise the later in the list.
4. A level other than 0 is at least \`minLevel\`.
5. A period with \`oneOf\` c (2: every second lamp, 3: every third) lights this lamp if (k + s + r) mod c = 0, otherwise it is dark. s is 0 for \`fixed\`, the number of the lighting day (days since 1970-01-01) for \`nightly\`, ⌊that number / 7⌋ for \`weekly\`; r is 1 where \`right\` is true, otherwise 0. Lit in every pattern: lamps with \`keep\`, lamps without \`cycle\`, the first and the last of the row (k = 0, k = n − 1), rows with n below 3.
6. In what is left for this lamp a dark stretch between two lit ones that is shorter than 5 minutes is not made (the level before it goes on); then a lit stretch that touches on or off and is shorter than \`minimumMinutes\` is not lit. Several lit stretches in a night are usual.
7. On at or after off: no light that night. Where the event of \`on\` or \`off\` does not happen on its date, it is noon if the sun stays down that date (the beginning of the lighting day for on, its end for off, nothing added); if the sun stays up, there is no night.
8. Where two nights overlap, the later one holds from its on.
9. A period with \`ramp\` goes to its level in so many seconds, beginning at its start. \`stagger\` delays every step of a lamp by a time of its own, from 0 to so many seconds and always the same. With \`staggerFrom\` the lamps of a road stay together: the delay is \`staggerFrom\` seconds and a time of its own from 0 to ${roadStagger} s. A device that does not know \`staggerFrom\` goes by \`stagger\` alone.
10. With \`light\` a light sensor switches in the window from \`beforeMinutes\` before the anchor to \`afterMinutes\` after it. On: dark already before the window, at its beginning; inside, when the sensor has shown less than \`lux\` for \`delayMinutes\`; otherwise at its end. Off: the same with light. A sensor that fails counts as none: the anchor switches. A lamp without a sensor ignores \`light\`.

A manual state (\`on\`, \`off\`, \`dim\`) stands above the plan until its end, then the plan of that moment holds. A device keeps plan and place over power cuts and follows them without a connection.

**What it says of it.** \`planHash\` is the \`hash\` of the plan that it has taken over, null when it has none (the plan hash, of the plan as this device is sent it: it covers \`cycle\`, exceptions and the named days, so it differs between devices and from month to month. The version hash of a scheme or template, 12 hex digits too, is of the content of a version; it is in no message to or from a device, and the two are not to be compared); in \`status\`, which it publishes again (online, retained) whenever it takes over other settings, and beside \`sentAt\` of every readings message. A lamp behind a controller has no \`status\`: its readings messages say it. A device that says another hash after it was sent a plan does not follow it, whatever its levels are. What is authoritative is who runs the programme: a controller that switches for its lamps reports in their messages the plan that it runs for them. A device that cannot do what a plan asks (a programme of more than \`periods\`, several programmes without \`calendar\`, \`oneOf\` without \`cycle\`) would follow \`table\` and report \`planHash\` null; once it has said its \`capabilities\` it is not sent such a plan. \`readPlan\` is answered by a full reading in a message with the hash. The quantity \`reason\` of a full reading says why \`commandLevel\` is what it is: \`programme\`, \`manual\` (a command), \`emergency\` (an emergency input of its own), \`sensor\`, \`local\` (switched on site), \`fallback\` (by the programme, without connection for \`fallbackMinutes\`), \`powerUp\` (\`powerUpLevel\` until the time is known).`;

/** The plan in the example of settings: two programmes, a week of the second, every third lamp after 01:00. */
export const examplePlan: CompactPlan = {
  scheme: 'JN-03',
  version: 7,
  hash: '9f3c21a0b7de',
  from: '2026-11-23',
  programmes: [
    {
      key: 1,
      on: {
        at: 'sunset',
        offsetMinutes: -10,
        light: { lux: 20, beforeMinutes: 30, afterMinutes: 20, delayMinutes: 10 },
      },
      off: { at: 'sunrise', offsetMinutes: 5 },
      minimumMinutes: 10,
      periods: [
        { start: 'on', level: 100 },
        { start: '23:00', level: 60, ramp: 30 },
        { start: '01:00', level: 60, oneOf: 3 },
        { start: { at: 'dawn', offsetMinutes: -20 }, level: 90 },
      ],
    },
    {
      key: 2,
      on: { at: 'sunset', offsetMinutes: -20, notAfter: '18:30' },
      off: { at: 'sunrise', offsetMinutes: 10 },
      minimumMinutes: 10,
      periods: [{ start: 'on', level: 100 }],
    },
  ],
  days: [{ from: '2027-02-05', to: '2027-02-12', programme: 2 }],
  default: 1,
  cycle: { k: 7, n: 24, shift: 'weekly' },
  minLevel: 10,
};
