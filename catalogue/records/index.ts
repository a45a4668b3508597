import type { MasterRecord } from '../record.ts';
import { channel } from './channel.ts';
import { dictionaryItem } from './dictionary-item.ts';
import { dictionary } from './dictionary.ts';
import { equipmentGroup } from './equipment-group.ts';
import { loop } from './loop.ts';
import { road } from './road.ts';
import { workArea } from './work-area.ts';

/** Every kind of plain master data. */
export const records: readonly MasterRecord[] = [
  workArea,
  road,
  equipmentGroup,
  channel,
  loop,
  dictionary,
  dictionaryItem,
];

const byKey: ReadonlyMap<string, MasterRecord> = new Map(records.map((record) => [record.key, record]));
export const recordOf = (key: string): MasterRecord | undefined => byKey.get(key);
