import { generateKeyPairSync, sign } from 'node:crypto';

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
const time = (text: string): Buffer => tagged(0x17, Buffer.from(text));

/** A certificate for `localhost` that signed itself, and its key, as PEM: for servers that tests begin. */
export function selfSigned(): { readonly cert: Buffer; readonly key: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const version = tagged(0xa0, tagged(0x02, Buffer.from([2])));
  const algorithm = sequence(tagged(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const name = sequence(
    tagged(0x31, sequence(tagged(0x06, Buffer.from([0x55, 0x04, 0x03])), tagged(0x0c, Buffer.from('localhost')))),
  );
  const body = sequence(
    version,
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.from([0]), sign(null, body, privateKey)));
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    cert: Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`),
    key: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
