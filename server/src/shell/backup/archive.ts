import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { extract, pack, type Pack } from 'tar-stream';
import { StartError, codeOf, reasonOf } from '../../platform/start-error.ts';

/**
 * An archive is a tar in gzip, and when it is encrypted in the age format under a passphrase (scrypt): `age -d backup |
 * tar tz` reads it without this program.
 */
export interface ArchiveWriter {
  /** Adds a whole entry. */
  add(name: string, bytes: Buffer): Promise<void>;
  /** Adds an entry of `size` bytes as it is read. */
  addStream(name: string, size: number, source: Readable): Promise<void>;
}

const ageHeader = 'age-encryption.org/v1';

export interface ArchiveSettings {
  /** null: not encrypted. */
  readonly passphrase: string | null;
  /** The cost of trying a passphrase, as a power of two; 18 unless told. */
  readonly scryptLogN?: number;
  /** Breaks it off. */
  readonly signal?: AbortSignal;
}

/** Writes an archive to a new file (0600), flushed; a half one is closed, and left to the caller to take away. */
export async function writeArchive(
  path: string,
  { passphrase, scryptLogN = 18, signal }: ArchiveSettings,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const entries = pack();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const packed = pipeline(
    Readable.from(entries, { objectMode: false }),
    createGzip({ level: 4 }),
    async function* (plain: AsyncIterable<Buffer>) {
      yield* passphrase === null ? plain : await encrypted(plain, passphrase, scryptLogN);
    },
    file,
    signal ? { signal } : {},
  );
  const filled = (async () => {
    await fill(writerInto(entries));
    entries.finalize();
  })();
  // Whichever fails ends the other.
  filled.catch((thrown: unknown) => entries.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
  try {
    await Promise.all([filled, packed]);
  } finally {
    if (!file.closed) await once(file.destroy(), 'close');
  }
}

function writerInto(entries: Pack): ArchiveWriter {
  async function addStream(name: string, size: number, source: Readable): Promise<void> {
    const written = Promise.withResolvers<null>();
    const entry = entries.entry({ name, size, mode: 0o600 }, (thrown) =>
      thrown ? written.reject(thrown) : written.resolve(null),
    );
    for await (const bytes of source)
      if (!entry.write(bytes)) await Promise.race([once(entry, 'drain'), written.promise]);
    entry.end(undefined);
    await written.promise;
  }
  return {
    addStream,
    add: (name, bytes) => addStream(name, bytes.length, Readable.from([bytes], { objectMode: false })),
  };
}

async function encrypted(
  plain: AsyncIterable<Buffer>,
  passphrase: string,
  scryptLogN: number,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(scryptLogN);
  encrypter.setPassphrase(passphrase);
  return webStream(await encrypter.encrypt(asWeb(plain)));
}

const asWeb = (source: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(source, { objectMode: false })) as globalThis.ReadableStream<Uint8Array>;
const webStream = (stream: globalThis.ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  stream as unknown as ReadableStream<Uint8Array>;

/** Whether the file is encrypted. Throws StartError when it cannot be read. */
export async function isEncrypted(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(ageHeader.length), 0, ageHeader.length, 0);
      return buffer.subarray(0, bytesRead).toString('latin1') === ageHeader;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw new StartError(`The backup ${path} cannot be read: ${reasonOf(thrown)}`);
  }
}

/**
 * Hands the entries of an archive to `take`, one after the other; each is read to its end before the next. Throws
 * StartError for a wrong passphrase and for an archive that is cut off or was changed; what `take` throws passes
 * through.
 */
export async function readArchive(
  path: string,
  { passphrase, signal }: ArchiveSettings,
  take: (name: string, body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const bytes = createReadStream(path);
  const plain = passphrase === null ? bytes : Readable.from(await decrypted(bytes, passphrase), { objectMode: false });
  const entries = extract();
  const read = pipeline(plain, createGunzip(), entries as unknown as Writable, signal ? { signal } : {}).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  try {
    for await (const entry of entries) {
      await take(entry.header.name, entry as unknown as AsyncIterable<Buffer>);
      // Whatever is left of it.
      entry.resume();
    }
  } catch (thrown) {
    if (thrown !== (await read)) throw thrown;
  }
  const damage = await read;
  if (damage !== undefined) throw new StartError(`The backup ${path} is damaged: ${reasonOf(damage)}`);

  async function decrypted(bytes: Readable, secret: string): Promise<AsyncIterable<Uint8Array>> {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(secret);
    try {
      return webStream(await decrypter.decrypt(asWeb(bytes)));
    } catch (thrown) {
      throw new StartError(
        `The backup ${path} cannot be opened: the passphrase is wrong, or its beginning is damaged (${reasonOf(thrown)}).`,
      );
    }
  }
}

/**
 * Why an archive that is not encrypted is not as it was written, by its checksum; undefined when it is. Reads the whole
 * of it; `signal` ends that.
 */
export async function damageOf(path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere, signal ? { signal } : {});
    return undefined;
  } catch (thrown) {
    // What unzip says; a file that cannot be read is another matter.
    return codeOf(thrown)?.startsWith('Z_') ? reasonOf(thrown) : undefined;
  }
}

/** A whole small entry as text; longer ones are refused. */
export async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > mostText) throw new Error('an entry is longer than it may be');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const mostText = 32 * 2 ** 20;
