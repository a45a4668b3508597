import {
  mostAttachments,
  photoTypes,
  type addAttachment,
  type listAttachments,
  type updateAttachment,
} from '../../../../contract/register/attachments.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { lockFile, removeUnkept, type Files } from '../../platform/files/index.ts';
import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import { recordFieldChange, visibleDevices } from '../devices/index.ts';
import * as store from './attachments.store.ts';
import { allowedEndings, contentTypeOf, contentTypes, nameFor, type ContentType } from './content-type.ts';
import type { Draw } from './drawing.ts';

export interface AttachmentsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly files: Files;
  readonly draw: Draw;
}
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'upload' | 'setHeader'>;
type View = ReplyOf<typeof addAttachment>;
type Kept = Pick<
  store.NewAttachment,
  | 'kind'
  | 'type'
  | 'file'
  | 'fileName'
  | 'bytes'
  | 'thumbnail'
  | 'width'
  | 'height'
  | 'takenAt'
  | 'longitude'
  | 'latitude'
>;
export type Attachments = ReturnType<typeof createAttachments>;

const mostListed = 500;
const isPhoto = (type: ContentType): type is (typeof photoTypes)[number] =>
  (photoTypes as readonly string[]).includes(type);
const noPhoto = { thumbnail: null, width: null, height: null, takenAt: null, longitude: null, latitude: null };

/** Photographs and files of devices: whoever sees the device sees them, whoever may change it may change them. */
export function createAttachments({ db, bus, clock, files, draw }: AttachmentsParts) {
  async function owner(from: Db | Transaction, caller: Caller, id: number, lock = false): Promise<store.Owner> {
    const found = await store.findOwner(from, id, visibleDevices(caller), lock);
    if (!found) throw refuse('notFound');
    if (!found.visible) throw refuse('foreignWorkArea');
    if (lock && found.count >= mostAttachments) throw refuse('attachmentsFull', { max: mostAttachments });
    return found;
  }

  async function one(
    from: Db | Transaction,
    caller: Caller,
    id: number,
    lock = false,
  ): Promise<store.StoredAttachment> {
    const found = await store.findOne(from, id, visibleDevices(caller), lock);
    if (!found) throw refuse('notFound');
    if (!found.visible) throw refuse('foreignWorkArea');
    return found;
  }

  /** Looks at what came and keeps what is to be kept of it; `received` is what came itself. */
  async function kept(
    received: string,
    bytes: number,
    { name, keepPosition = false }: QueryOf<typeof addAttachment>,
  ): Promise<Kept> {
    const content = await files.get(received);
    const type = content && contentTypeOf(content, name);
    if (!content || !type) throw refuse('attachmentType', { allowed: allowedEndings.join(', ') });
    if (!isPhoto(type))
      return { kind: 'document', type, file: received, fileName: nameFor(name, type), bytes, ...noPhoto };
    const photo = await draw({ bytes: content, type });
    if (!photo) throw refuse('attachmentDamaged');
    const [file, thumbnail] = [await files.put(photo.content), await files.put(photo.thumbnail)];
    const place = keepPosition
      ? { longitude: photo.longitude, latitude: photo.latitude }
      : { longitude: null, latitude: null };
    return {
      kind: 'photo',
      type: photo.type,
      file,
      fileName: nameFor(name, photo.type),
      bytes: photo.content.length,
      thumbnail,
      width: photo.width,
      height: photo.height,
      takenAt: photo.takenAt,
      ...place,
    };
  }

  async function noted(
    tx: Transaction,
    caller: Caller,
    of: { id: number; family: string; code: string; areaId: number },
    from: string | null,
    to: string | null,
  ): Promise<void> {
    await recordFieldChange(
      tx,
      { at: clock.now(), actorId: caller.accountId, actorName: caller.username, source: 'edit' },
      of,
      { field: 'attachments', from, to, fromLabel: null, toLabel: null, masked: false },
    );
  }

  async function write({ caller, change }: Ctx, id: number, what: Kept, caption: string | null): Promise<number> {
    const made = await change(
      { action: 'device.attachment.add', params: { id, name: what.fileName, bytes: what.bytes } },
      async (tx) => {
        const of = await owner(tx, caller, id, true);
        const names = [what.file, ...(what.thumbnail === null ? [] : [what.thumbnail])].toSorted();
        for (const name of names) await lockFile(tx, name);
        // Somebody who had the same bytes may have taken them away since they came.
        for (const name of names)
          if (!(await files.has(name))) throw new Error('a file went while its row was written');
        const made = await store.insert(tx, {
          ...what,
          deviceId: id,
          caption,
          accountId: caller.accountId,
          accountName: caller.username,
          at: clock.now(),
        });
        await noted(tx, caller, of, null, what.fileName);
        return made;
      },
    );
    bus.publish('devices.changed', { ids: [id] });
    return made;
  }

  async function content({ caller, setHeader }: Ctx, id: number, small: boolean) {
    const found = await one(db, caller, id);
    const name = small ? found.thumbnail : found.file;
    const stream = name === null ? undefined : await files.open(name);
    if (!stream) throw refuse('notFound');
    // Whatever it is: it is saved or drawn by the console, never run as a page of ours.
    setHeader('content-security-policy', "default-src 'none'; sandbox");
    return small
      ? { name: 'thumbnail.jpg', type: contentTypes.jpeg.mime, content: stream }
      : { name: found.fileName, type: contentTypes[found.type].mime, content: stream };
  }

  return {
    async list(
      { caller }: Ctx,
      id: number,
      { mounted = false }: QueryOf<typeof listAttachments>,
    ): Promise<ReplyOf<typeof listAttachments>> {
      await owner(db, caller, id);
      const rows = await store.findOf(db, id, mounted, visibleDevices(caller), mostListed);
      return { data: rows.map(viewOf), recordsTotal: rows.length };
    },

    async add(ctx: Ctx, id: number, query: QueryOf<typeof addAttachment>): Promise<View> {
      const { count } = await owner(db, ctx.caller, id);
      if (count >= mostAttachments) throw refuse('attachmentsFull', { max: mostAttachments });
      if (!ctx.upload) throw refuse('unsupportedMediaType');
      const received = await files.receive(ctx.upload);
      const names = [received.name];
      try {
        const what = await kept(received.name, received.bytes, query);
        names.push(what.file, ...(what.thumbnail === null ? [] : [what.thumbnail]));
        return viewOf(
          await one(
            db,
            { ...ctx.caller, workAreaId: null },
            await write(ctx, id, what, captionOf(query.caption ?? null)),
          ),
        );
      } finally {
        // A photograph as it came, and everything of an upload that failed.
        await removeUnkept({ db, files }, names);
      }
    },

    async update(
      { caller, change }: Ctx,
      id: number,
      { name, caption, version }: BodyOf<typeof updateAttachment>,
    ): Promise<View> {
      await change({ action: 'device.attachment.update' }, async (tx) => {
        const found = await one(tx, caller, id, true);
        if (version !== undefined && version !== found.version) throw refuse('changedMeanwhile');
        const next = {
          fileName: name === undefined ? found.fileName : nameFor(name, found.type),
          caption: caption === undefined ? found.caption : captionOf(caption),
        };
        await store.update(tx, id, next);
        if (next.fileName !== found.fileName)
          await noted(tx, caller, { ...found, id: found.deviceId }, found.fileName, next.fileName);
      });
      return viewOf(await one(db, { ...caller, workAreaId: null }, id));
    },

    async remove({ caller, change }: Ctx, id: number): Promise<void> {
      const gone = await change({ action: 'device.attachment.delete' }, async (tx) => {
        const found = await one(tx, caller, id, true);
        await store.remove(tx, id);
        await noted(tx, caller, { ...found, id: found.deviceId }, found.fileName, null);
        return found;
      });
      await removeUnkept({ db, files }, [gone.file, ...(gone.thumbnail === null ? [] : [gone.thumbnail])]);
      bus.publish('devices.changed', { ids: [gone.deviceId] });
    },

    file: (ctx: Ctx, id: number) => content(ctx, id, false),
    thumbnail: (ctx: Ctx, id: number) => content(ctx, id, true),
  };
}

const captionOf = (text: string | null): string | null => text?.normalize('NFC').trim() || null;

const viewOf = (row: store.StoredAttachment): View => ({
  id: row.id,
  device: { id: row.deviceId, family: row.family, code: row.code },
  kind: row.kind,
  type: row.type,
  name: row.fileName,
  bytes: row.bytes,
  caption: row.caption,
  width: row.width,
  height: row.height,
  takenAt: row.takenAt,
  longitude: row.longitude,
  latitude: row.latitude,
  accountName: row.accountName,
  createTime: row.createdAt.toISOString(),
  version: row.version,
});
