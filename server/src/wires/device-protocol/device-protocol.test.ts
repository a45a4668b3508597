import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { deviceProtocolRoutes } from './index.ts';

const broker = { host: null, port: 1884, tlsPort: null, secure: false, builtIn: true };
const { call } = await testApp({ routes: () => deviceProtocolRoutes({ demo: false, broker }) });
interface Document {
  asyncapi: string;
  servers: { mqtt: { host: string } };
}

it('describes the protocol to signed-in accounts, with the address by which they came', async () => {
  expect((await call('/api/asyncapi.json', { token: null })).status).toBe(401);
  const reply = await call<Document>('/api/asyncapi.json', { headers: { host: 'lamps.example:8080' } });
  expect(reply).toMatchObject({
    status: 200,
    body: { asyncapi: '3.0.0', servers: { mqtt: { host: 'lamps.example:1884' } } },
  });
  expect(
    (await call<Document>('/api/asyncapi.json', { headers: { host: 'x"><script>' } })).body.servers.mqtt.host,
  ).toBe('127.0.0.1:1884');
});
