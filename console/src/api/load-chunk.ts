import { CHUNK_TIMEOUT_MS } from '../session/index.ts';

/** Loading the code of a page or of a part failed: timeout, missing file, stylesheet error (specified 10.11). */
export class ChunkLoadError extends Error {
  constructor(chunk: string, cause?: unknown) {
    super(`loading of the chunk of ${chunk} failed`, { cause });
    this.name = 'ChunkLoadError';
  }
}

/** Loads the code of a page or of a part within the limit, or fails with `ChunkLoadError`. */
export async function loadChunk<T>(
  name: string,
  load: () => Promise<T>,
  limitMs: number = CHUNK_TIMEOUT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new ChunkLoadError(name)), limitMs);
  });
  try {
    return await Promise.race([load(), limit]);
  } catch (cause) {
    throw cause instanceof ChunkLoadError ? cause : new ChunkLoadError(name, cause);
  } finally {
    clearTimeout(timer);
  }
}
