import type { PhotoType } from '../../platform/photos.ts';

/** What the thread that draws photographs is told. */
export interface PhotoOrder {
  readonly bytes: Uint8Array;
  readonly type: PhotoType;
}
