import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { testClock } from '../../testing/clock.ts';
import { openTcpDoor, type Door, type DoorLimits, type Line, type LineEnd } from './tcp.ts';

const clock = testClock();
/** Every byte is a frame. */
const wire = { name: 'bytes', port: 0, mostFrameBytes: 1, frameLength: () => 1 };
let door: Door | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await door?.stop();
});

/** Opens a door; its lines, and why they ended. */
async function opened(limits: Partial<DoorLimits> = {}) {
  const lines: Line[] = [];
  const ends: LineEnd[] = [];
  door = await openTcpDoor({
    wire,
    host: '127.0.0.1',
    clock,
    limits,
    opened(line) {
      lines.push(line);
      return {
        isKnown: () => false,
        take: () => Promise.resolve(),
        refused: () => undefined,
        ended: (why) => void ends.push(why),
      };
    },
  });
  return { lines, ends, port: door.port };
}

async function dial(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return { closed };
}

test('a device that does not read for 5 s is refused, and its connection ends', async () => {
  const { lines, ends, port } = await opened();
  await dial(port);
  await expect.poll(() => lines.length).toBe(1);
  const sent = lines[0]?.send(Buffer.alloc(32 * 1024 * 1024));
  const refused = expect(sent).rejects.toThrow('the device does not read');
  await clock.advance(4999);
  expect(ends).toEqual([]);
  await clock.advance(1);
  await refused;
  expect(ends).toEqual(['network']);
});

test('strangers of one address are bounded by themselves: others still get in', async () => {
  const { lines, port } = await opened({ strangersOfAddress: 2 });
  await dial(port);
  await dial(port);
  const third = await dial(port);
  await third.closed;
  await dial(port, '127.0.0.2');
  await expect.poll(() => lines.map(({ from }) => from)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.2']);
});
