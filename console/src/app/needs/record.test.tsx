import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errors } from '../../../../contract/errors.ts';
import { getPreferences } from '../../../../contract/people/me.ts';
import { getRecord, listRecords, updateRecord } from '../../../../contract/register/records.ts';
import { reactToRefusals } from '../../api/index.ts';
import { RecordScreen } from '../../parts/declared/RecordScreen.tsx';
import { serverForEach } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { NeedHost } from './NeedHost.tsx';
import { askNeeded } from './needs.ts';

const server = serverForEach();
/** A busy machine answers late. */
const find = { timeout: 20_000 };
const at = '2026-11-20T13:00:00.000Z';
const project = {
  ...{ id: 1, version: 3, createTime: at, updateTime: at, labels: {}, secrets: [] },
  ...{ workCode: 'W1', workName: '项目1', timeZone: 'Asia/Shanghai' },
};

beforeEach(() => reactToRefusals({ signedOut: () => undefined, forbidden: () => undefined, needed: askNeeded }));
afterEach(() => reactToRefusals(undefined));

test(
  'the number of lamps that a time zone darkens is typed, and goes with the record',
  { timeout: 90_000 },
  async () => {
    server().answer(getPreferences, {});
    server().answer(listRecords, { data: [project], recordsTotal: 1 });
    server().answer(getRecord, project);
    const message = '有 1200 盏灯变暗';
    server().wouldChange(updateRecord, {}, { ...project, darkens: 1200 });
    server().on(updateRecord, ({ body }) =>
      body.includes('"confirmCount":1200')
        ? { status: 200, body: { ...project, timeZone: 'Asia/Tokyo', version: 4, darkens: 1200 } }
        : { status: 400, body: { status: 400, code: errors.areaDarkens.code, message, count: 1200, params: [] } },
    );
    const { address } = await renderInShell(
      <>
        <RecordScreen record="work-area" screen="asset/work-areas" />
        <NeedHost />
      </>,
      { address: '/x?form=1', codes: ['record.edit'] },
    );
    const form = within(await screen.findByRole('dialog', undefined, find));
    fireEvent.change(await form.findByRole('textbox', { name: /^时区/ }, find), { target: { value: 'Asia/Tokyo' } });
    await act(async () => void fireEvent.click(form.getByRole('button', { name: '保存' })));
    const count = await screen.findByLabelText('灯的数量', { exact: false, selector: 'input' }, find);
    fireEvent.change(count, { target: { value: '1200' } });
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: '确认下发' })));
    await waitFor(() => expect(address()).toBe('/x'), find);
    expect(JSON.parse(server().of(updateRecord).at(-1)?.body ?? '')).toEqual({
      timeZone: 'Asia/Tokyo',
      version: 3,
      confirmCount: 1200,
    });
  },
);
