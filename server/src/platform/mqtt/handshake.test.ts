import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../testing/certificate.ts';
import { createLog } from '../log.ts';
import { startEmbeddedBroker } from './embedded.ts';

it('a CONNECT and a TLS handshake have their time, and no more', async () => {
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: 0,
    tls: selfSigned(),
    log: createLog('silent'),
    limits: { connectMs: 200 },
    authenticate: () => Promise.resolve(null),
  });
  onTestFinished(() => broker.stop());
  for (const port of [broker.port, broker.tlsPort ?? 0]) {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  }
});
