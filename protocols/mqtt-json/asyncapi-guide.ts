import { planGuide } from './asyncapi-plan.ts';
import type { limits as Limits } from './messages.ts';

/** Why a message or a reading is refused, as the link of a device and the answers over HTTP name it. */
const reasons: readonly (readonly [string, string])[] = [
  ['topic', 'the topic is none of those below.'],
  ['tooLarge', 'the message has more bytes than it may.'],
  ['notJson', 'it cannot be read as JSON; the detail says where.'],
  ['tooDeep', 'it is nested too deep.'],
  ['forbiddenName', 'it has a field called `__proto__`, `constructor` or `prototype`.'],
  ['schema', 'it is JSON and not what the schema says; the detail names every place.'],
  ['badTime', 'a time has the right form and does not exist.'],
  ['noClock', '`sentAt` is more than 21 days off.'],
  ['unknownDevice', 'there is no such device any more.'],
  ['foreignChild', 'the child is not registered under this controller.'],
  ['tooOld', 'a reading is older than 400 days, or than what the site keeps.'],
  ['future', 'a reading is more than 10 minutes in the future.'],
  ['noValues', 'nothing in a reading could be believed; it is not stored.'],
  ['implausibleValue', 'a value has the wrong type or is out of range; the rest of the reading is stored.'],
  ['unknownValue', 'the family has no quantity of this name; the rest of the reading is stored.'],
];

/** The prose of the document: how to play a device with nothing but an MQTT client. */
export function guide(limits: typeof Limits, families: readonly string[]): string {
  return `How a device talks to Lampyris. The calls over HTTP that this text names (\`POST /api/v1/…\`) are described by \`/api/openapi.json\` of the same server. The document takes the device's side: \`send\` is what a device publishes, \`receive\` what it subscribes to.

## Playing a lamp, step by step

1. **Get credentials.** An operator registers the device and issues them: \`POST /api/v1/devices/{deviceId}/credentials\` answers \`{clientId, username, password}\` once. Issuing again ends the old ones.
2. **Connect** to the server below by MQTT 3.1.1 with exactly this client id, user name and password. Last will: topic \`status\`, payload \`{"online":false}\`, QoS 1, retained. The built-in broker answers a wrong user name, password or client id, and a batch that is shut, over or full, with CONNACK 4, a last will for a topic that is not the device's own with CONNACK 5. Try again after a second, then after twice as long each time, up to 5 minutes, a little at random: a whole district may come back at once.
3. **Subscribe** at QoS 1 to the addresses of \`commands\` and \`settings\`. A central controller also subscribes to those of its lamps, with \`+\` for the child's id. Anything else is refused in the SUBACK (0x80); \`#\` and \`$SYS\` always are.
4. **Say that you are there**: publish \`{"online":true,"at":…}\` to \`status\`, QoS 1, retained, with \`capabilities\` and \`planHash\` if you know plans, and the \`version\` of your settings as \`settingsVersion\`. A device that reports another version or hash than it was sent is sent its settings again, 10 minutes after the last time, then after twice as long. Where a broker of the site keeps no messages (MQTT 5: CONNACK with Retain Available 0), publish \`status\` and the last will without the retain flag: settings are sent when you say that you are there.
5. **Report.** Publish to \`readings\` at QoS 1 one full reading now, another one at least every \`reportSeconds\` of the settings, and one whenever something changes.
6. **Obey.** On a message of \`commands\`: execute it, publish the answer to \`acks\`, and then **always a full reading, changed or not**, measured after the execution. Its \`at\` must not be before \`executedAt\`. Only this reading confirms the command; the answer alone does not.

## Coming in by itself

Instead of step 1 a whole delivery of devices can carry the user name and password of one **batch**. Such a device

1. chooses a **secret** once (32 random bytes as base64url), keeps it over power cuts and never shares it;
2. connects with the batch's user name and password and **its own serial as client id**, without a last will (\`status\` is a topic of claimed devices), subscribes to its \`provision\` and publishes \`hello\` with the secret. It may publish \`readings\` too. All of it waits in the inbox until an operator claims the device;
3. is then told its \`clientId\`, disconnects, and from now on connects with that client id and user name and **its own secret as password**, as in step 2 above. It keeps them over power cuts.

Nothing secret ever travels down. The first secret of a serial counts: another one is refused and shown to the operator as doubtful. A device that lost what it was told says hello again with the same secret and is told again. A batch can be shut, runs out, or be full: then signing in is refused.

## What a full reading is

All quantities of the family that the device can measure; for a lamp at least \`level\`, \`power\` and \`relay\`. Report what the lamp *does*, not what it was told: a relay that sticks is reported as it is.

## Commands

- \`on\`: full level. \`off\`: relay open, level 0. \`dim\` \`{level}\`: this level in percent. They make a **manual state** that lasts until \`until\`: then the device itself, connected or not, follows its table again. A newer command replaces an older one.
- \`auto\`: back to programme: end the manual state now. \`read\`: send a full reading now. \`readPlan\`: the same, in a message with \`planHash\` and \`capabilities\` (see “Working by a plan”).
- At or after \`expiresAt\` do not execute it: answer \`accepted: false\`, \`error: "expired"\`. What cannot be executed is answered with \`accepted: false\` and a short reason in \`error\`.
- The same \`commandId\` may arrive twice (QoS 1, or because the server heard no answer and sent it again): execute it once, answer again.
- \`turn\` grows with every message. Keep that of the last command that changed your state: one with a lower \`turn\` within an hour after it, which you have not answered yet, was held up on its way. Do not execute it: answer \`accepted: false\`, \`error: "superseded"\`.
- The server sends again what is not answered after 5 s and, then, after twice as long each time, waits 30 s for the answer and 120 s for the confirming reading, counted from sending; then the command counts as timed out. These are settings of the site. A lamp counts as confirmed when level is within 5 points of what was asked and the relay is as asked.

${families.join('\n')}

## Time

Times are ISO 8601 in UTC with milliseconds. They are the device's own: the server learns from \`sentAt\` by how much the clock is wrong and corrects every time of the device by it when that is more than 2 s; it tells the times of a command in the device's clock. A clock that was wrong and is right is believed at once, one that is set from one wrong time to another after a second message at least 30 s later (readings wait until then and are not lost). A clock more than 21 days off is no clock: readings with such a \`sentAt\` are refused (\`noClock\`). \`sentAt\` is the time of sending, also of what was buffered. Readings may be late (after an outage deliver what was buffered, oldest first, up to ${limits.readingsPerMessage} in a message): up to 400 days back. More than 10 minutes in the future they are refused.

A reading may say of itself \`"quality": "estimated"\` (computed, not measured) or \`"stale"\` (an older value told again because nothing newer could be read: it stands in the history only and is no sign of life). Buffered readings are neither: they were measured at their \`at\`.

## Without MQTT

\`POST /api/v1/ingest/readings\` takes the same readings messages over HTTP, signed with the same user name and password (HTTP Basic): one message, a JSON array of them or, as \`application/x-ndjson\`, a line each; packed by gzip if you like. A gateway names the child of a message as \`deviceId\` beside \`sentAt\`. The answer comes after everything is stored and tells of each message whether it was accepted, a duplicate, or refused and why. Sending a request again is safe. Commands and settings come over MQTT only.

    curl -u "lampyris-42:$PASSWORD" -H 'content-type: application/json' https://…/api/v1/ingest/readings \\
      -d '{"sentAt": "2026-11-21T12:00:01.000Z", "readings": [{"at": "2026-11-21T12:00:00.000Z", "values": {"level": 60, "power": 57.5, "relay": true}}]}'

## Working by itself

\`settings\` carry the place, the time zone and the table. Sunrise and sunset are those of the place (upper limb on the horizon, zenith 90.833°) plus \`sunOffsetMinutes\`. A night goes from noon to noon: times \`HH:MM\` from 12:00 on are on the date of its evening, earlier ones on the next. The first line is when the lamp goes on, the last one (level 0) when it goes off; before and after it the lamp is off, always. A line between them holds from its time on: one that lies before the first sets the level with which the lamp goes on, one that lies after the last is not used that night. Level 0 between them is a dark stretch: a night may be lit several times. Where the sun stays above the horizon there is no night; where it stays below, the missing sunset or sunrise is noon. A time that daylight saving skips is moved on by the length of the gap, of one that comes twice the first counts. A table without a line of level 0 burns all day. Of a lamp with a \`plan\` the place is its own. Where the place is not known (null) the device keeps the place it has.

${planGuide}

## What happens to wrong messages

A message that cannot be read (not JSON, wrong types, more than ${limits.payloadBytes} bytes, nested deeper than ${limits.nesting} levels, more than ${limits.readingsPerMessage} readings) is acknowledged, counted and dropped: sending it again does not help. On the built-in broker that holds up to 1 MiB; a larger packet ends the connection, and its sender must not send it again. QoS 0 and QoS 2 are taken too; only QoS 1 and 2 are acknowledged, after the commit. A device that sends more than 20,000 readings at once is read at 10 a second afterwards, and at least one message every 10 s; a connection that is begun again meanwhile is not read until that rest is over, and ends when it publishes before its CONNACK. Nothing is refused, it takes longer (over HTTP, \`POST /api/v1/ingest/readings\`, it is told by 429 and \`Retry-After\` when to come again). Each child of a controller counts for itself. A device that is no controller may neither publish nor subscribe below \`children/\`. Publishing to a topic that is not the device's own ends the connection. A connection with the same client id ends the older one. An unacknowledged message is not stored: send it again. Sending the same reading twice changes nothing.

## Who is told what was refused

Over MQTT a device hears nothing of a refused message: it is acknowledged like any other. Who builds or connects it asks \`GET /api/v1/devices/{deviceId}/link\` (permission \`device.credentials\`; in the console the device's connection page): the last 20 refusals of the device, always, with \`reason\` and \`detail\`, and for 10 minutes after each asking everything else that happens on its line. Over HTTP the answer says the same of each message.

${reasons.map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`).join('\n')}`;
}
