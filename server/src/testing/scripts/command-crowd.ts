// Many lamps on real connections that hear commands and acknowledge their packets: a process of its own, so that what
// it costs is told apart. Arguments: port, first device id, devices. Says {"ready"} and, for each line "expect <n>",
// {"heard"} when n more commands were heard.
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import mqttPacket from 'mqtt-packet';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';

const [port = 0, first = 0, devices = 0] = process.argv.slice(2).map(Number);
const atOnce = 200;
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
let heard = 0;
let owed: number | undefined;

function hear(): void {
  heard += 1;
  if (owed !== undefined && heard >= owed) {
    owed = undefined;
    say({ heard });
  }
}

/** Resolves when it is connected and subscribed. */
function lamp(id: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parser = mqttPacket.parser();
    const send = (packet: mqttPacket.Packet) => socket.write(mqttPacket.generate(packet));
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('connect', () =>
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: `lampyris-${id}`,
        keepalive: 0,
        username: `lampyris-${id}`,
        password: Buffer.from('x'),
      }),
    );
    socket.on('data', (data) => parser.parse(data));
    parser.on('packet', (packet: mqttPacket.Packet) => {
      if (packet.cmd === 'connack')
        send({
          cmd: 'subscribe',
          messageId: 1,
          subscriptions: [{ topic: topicOf({ kind: 'commands', deviceId: id, viaId: null }), qos: 1 }],
        });
      else if (packet.cmd === 'suback') resolve(socket);
      else if (packet.cmd === 'publish') {
        if (packet.messageId !== undefined) send({ cmd: 'puback', messageId: packet.messageId });
        hear();
      }
    });
  });
}

for (let at = 0; at < devices; at += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, devices - at) }, (_none, index) => lamp(first + at + index)));
say({ ready: devices });
createInterface({ input: process.stdin })
  .on('line', (line) => {
    owed = heard + Number(line.split(' ')[1]);
    say({ expecting: owed });
  })
  .on('close', () => process.exit(0));
