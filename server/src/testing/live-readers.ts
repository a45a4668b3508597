import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '../../../contract/live.ts';

/** Readers of the live messages at an address; every socket that is opened is added to `open`. */
export function liveReaders(url: () => string, open: WebSocket[]) {
  /** A browser's socket with its messages in order. */
  async function connect(origin?: string) {
    const socket = new WebSocket(url(), origin === undefined ? {} : { origin });
    open.push(socket);
    const kept: ServerMessage[] = [];
    const waiting: ((message: ServerMessage) => void)[] = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      const taker = waiting.shift();
      if (taker) taker(message);
      else kept.push(message);
    });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await once(socket, 'open');
    return {
      closed,
      kept,
      say: (message: ClientMessage) => socket.send(JSON.stringify(message)),
      raw: (text: string) => socket.send(text),
      take: () =>
        new Promise<ServerMessage>((resolve) => {
          const message = kept.shift();
          if (message) resolve(message);
          else waiting.push(resolve);
        }),
    };
  }
  async function signedIn(token: string, workAreaId: number | null = null) {
    const reader = await connect();
    reader.say({ type: 'hello', token, workAreaId });
    expect(await reader.take()).toMatchObject({ type: 'welcome' });
    return reader;
  }
  /** A topic is open once the server has answered the ping behind the subscription. */
  async function watching(token: string, topics: string[], workAreaId: number | null = null) {
    const reader = await signedIn(token, workAreaId);
    reader.say({ type: 'subscribe', topics });
    reader.say({ type: 'ping' });
    const answers: ServerMessage[] = [];
    for (let answer = await reader.take(); answer.type !== 'pong'; answer = await reader.take()) answers.push(answer);
    return { ...reader, answers };
  }

  return { connect, signedIn, watching };
}
