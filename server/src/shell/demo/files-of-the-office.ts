import { addImport } from '../../register/imports/index.ts';
import type { Devices } from '../../register/devices/index.ts';
import type { OperationEntry } from '../../platform/http/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { CityPole } from './office.store.ts';
import type { PeopleIds } from './people.ts';
import { clockAgo, type Calendar } from './shifts.ts';

/** Two files of the asset clerk: one that was imported with some bad rows, one that waits to be applied. */

export interface FileParts {
  readonly calendar: Calendar;
  readonly ids: PeopleIds;
  readonly poles: readonly CityPole[];
  readonly workArea: string;
  readonly devices: Pick<Devices, 'prepared'>;
  readonly files: Pick<Files, 'put'>;
}

const family = 'lamp-pole';
const rowsOfEach = 24;
const headings = ['编号', '名称', '生产厂家', '型号', '材质', '质保到期日'];

/** A table with every value in quotes, UTF-8 with its mark: as spreadsheets save it. */
const csvOf = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(`\ufeff${rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`);

const rowOf = ({ code, name }: CityPole, maker: string, model: string, day: string): string[] => [
  code,
  name,
  maker,
  model,
  '钢',
  day,
];

/** Returns the id of the import that waits, and what the operation log says of both. */
export async function seedImports(
  tx: Transaction,
  { calendar, ids, poles, workArea, devices, files }: FileParts,
): Promise<{ readonly waitingId: number; readonly entries: readonly OperationEntry[] }> {
  const done = poles.slice(0, rowsOfEach);
  const next = poles.slice(rowsOfEach, 2 * rowsOfEach);
  const [first] = done;
  const mistakes = first
    ? [
        rowOf(first, '江城杆业', 'JC-10（热镀锌）', '2030-12-31'),
        [`${first.code}-补`, '', '江城杆业', 'JC-10（热镀锌）', '不锈钢板', '2030-13-40'],
        ['', '无编号灯杆', '江城杆业', 'JC-10（热镀锌）', '钢', '2030-12-31'],
      ]
    : [];
  const seeds = [
    {
      fileName: '主干道灯杆铭牌补录.csv',
      rows: [...done.map((pole) => rowOf(pole, '江城杆业', 'JC-10（热镀锌）', '2030-12-31')), ...mistakes],
      at: clockAgo(calendar, 8, '10:24'),
      applied: true,
    },
    {
      fileName: '灯杆铭牌补录（第二批）.csv',
      rows: next.map((pole) => rowOf(pole, '临江钢构', 'LJ-8（热镀锌）', '2031-12-31')),
      at: clockAgo(calendar, 1, '16:05'),
      applied: false,
    },
  ];
  const entries: OperationEntry[] = [];
  let waitingId = 0;
  for (const { fileName, rows, at, applied } of seeds) {
    const bytes = csvOf([headings, ...rows]);
    const accountId = ids['zhou.ting'];
    const id = await addImport(tx, { devices, files }, { family, fileName, bytes, accountId, workArea, at, applied });
    if (!applied) waitingId = id;
    const entry = (minutes: number, uri: string, message: string, params: object): OperationEntry => ({
      accountId,
      username: 'zhou.ting',
      ip: '10.20.1.32',
      at: new Date(at.getTime() + minutes * 60_000),
      status: 201,
      uri,
      message,
      params,
    });
    entries.push(
      entry(0, 'POST /api/v1/imports', 'device.import.upload', { family, name: fileName, bytes: bytes.length }),
      entry(1, `POST /api/v1/imports/${id}/check`, 'device.import.check', { params: { id } }),
      ...(applied
        ? [entry(4, `POST /api/v1/imports/${id}/apply`, 'device.import', { params: { id }, body: { rows: 'valid' } })]
        : []),
    );
  }
  return { waitingId, entries };
}
