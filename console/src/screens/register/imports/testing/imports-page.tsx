import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import {
  getImport,
  listCoordinateSystems,
  listImportMappings,
  listImportPins,
  listImportRows,
} from '../../../../../../contract/register/imports.ts';
import { contractServer, type ContractServer } from '../../../../testing/contract-server.ts';
import { renderInShell } from '../../../../testing/shell.tsx';
import Imports from '../index.tsx';
import type { Import, ListedImport } from '../plan.ts';

/** The wizard over an import that is uploaded. Call it at the top of a test file. */
export function importsPage() {
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  const task = (
    kind: 'import.check' | 'import.apply' | 'import.undo',
    state: 'running' | 'done' | 'failed',
    id = 40,
  ): Import['task'] => ({
    id,
    kind,
    state,
    done: 120,
    total: 300,
    params: { importId: 7 },
    error: state === 'failed' ? '数据库没有应答' : null,
    file: null,
    createdAt: '2026-11-21T10:00:00Z',
    endedAt: state === 'running' ? null : '2026-11-21T10:00:09Z',
  });
  const uploaded: Import = {
    id: 7,
    family: 'lamp-pole',
    state: 'uploaded',
    fileName: '灯杆.csv',
    bytes: 43_000,
    format: {
      kind: 'csv',
      encoding: 'utf-8',
      delimiter: ',',
      sheet: null,
      sheets: [],
      sure: true,
      candidates: [
        { encoding: 'utf-8', sample: '編號,位置' },
        { encoding: 'big5', sample: '蝺刻' },
      ],
    },
    columns: [
      { title: '編號', samples: ['010001', '010002'] },
      { title: '位置', samples: ['后寮里 30 号', ''] },
      { title: '類型', samples: ['水泥桿'] },
      { title: 'X', samples: ['275170.6'] },
      { title: 'Y', samples: ['2759430.2'] },
    ],
    plan: {
      fields: { longitude: { column: 3 }, latitude: { column: 4 } },
      ignored: [],
      system: 'EPSG:3826',
      words: {},
      existing: 'update',
      createRoads: false,
      acceptFar: false,
    },
    remembered: false,
    questions: [],
    counts: null,
    unknownWords: {},
    newRoads: [],
    task: null,
    accountName: 'admin',
    createdAt: '2026-11-21T09:59:00Z',
    appliedAt: null,
    undoneAt: null,
    notUndone: null,
  };
  const fields = {
    equipmentCode: { column: 0 },
    equipmentName: { column: 1 },
    equipmentTypeId: { column: 2 },
    workId: { value: 'ZL' },
  };
  const checked: Import = {
    ...uploaded,
    state: 'checked',
    plan: { ...uploaded.plan, fields: { ...uploaded.plan.fields, ...fields } },
    counts: { new: 271, update: 2, unchanged: 0, error: 27 },
    task: task('import.check', 'done'),
    unknownWords: { equipmentTypeId: [{ word: '水泥桿', rows: 219 }] },
    newRoads: [{ name: '龍興路', rows: 61 }],
  };
  const { id, family, state, fileName, bytes, counts, accountName, createdAt, appliedAt, undoneAt, notUndone } =
    checked;
  const listed: ListedImport = {
    id,
    family,
    state,
    fileName,
    bytes,
    counts,
    task: checked.task,
    accountName,
    createdAt,
    appliedAt,
    undoneAt,
    notUndone,
  };
  const rows = {
    data: [
      {
        row: 12,
        outcome: 'error' as const,
        code: '010011',
        deviceId: null,
        undone: null,
        changes: [],
        problems: [
          { field: 'longitude', rule: 'farAway', message: '距其他位置 240 公里', text: '27517, 2759430' },
          { field: 'equipmentTypeId', rule: 'option', message: '不在可选范围内', text: '水泥桿' },
        ],
      },
      {
        row: 13,
        outcome: 'update' as const,
        code: '010012',
        deviceId: 5,
        undone: null,
        problems: [],
        changes: [
          { field: 'rmark', from: '旧', to: null },
          { field: 'equipmentTypeId', from: 'equipment_type_24', to: 'equipment_type_13' },
        ],
      },
    ],
    recordsTotal: 27,
    problems: [
      { field: 'longitude', rule: 'farAway', message: '经度: 距其他位置很远', rows: 1 },
      { field: 'roadId', rule: 'notFound', message: '所属道路: 没有登记', rows: 8 },
    ],
  };

  const shown = {
    pins: [
      { row: 2, label: '010001', x: '275170', y: '2759430', longitude: 121.2492, latitude: 24.9424 },
      { row: 151, label: '010140', x: '274386', y: '2759928', longitude: 121.2414, latitude: 24.9469 },
      { row: 301, label: '乙', x: '1', y: '2', longitude: null, latitude: null },
    ],
    fits: [],
    questions: [],
    name: null,
    accuracy: null,
  };

  let server: ContractServer;
  const open = (search: string, codes: readonly string[] = ['device.import']) =>
    renderInShell(<Imports />, { address: `/asset/imports${search}`, codes, pages: ['pole/poles'], live: server });

  beforeEach(async () => {
    server = await contractServer();
    server.answer(getImport, uploaded);
    server.answer(listImportRows, rows);
    server.answer(listCoordinateSystems, { data: ['WGS84', 'GCJ02', 'EPSG:3826'] });
    server.answer(listImportPins, shown);
    server.answer(listImportMappings, { data: [], recordsTotal: 0 });
  });
  afterEach(async () => {
    cleanup();
    await server.close();
  });

  return {
    task,
    uploaded,
    fields,
    checked,
    id,
    family,
    state,
    bytes,
    counts,
    appliedAt,
    undoneAt,
    notUndone,
    listed,
    rows,
    shown,
    get server() {
      return server;
    },
    open,
  };
}
