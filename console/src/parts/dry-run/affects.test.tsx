import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { errors } from '../../../../contract/errors.ts';
import { createCommand } from '../../../../contract/light/commands.ts';
import { freezeScheme, withdrawScheme } from '../../../../contract/light/schemes.ts';
import { bindDeviceAccount, listDeviceAccounts } from '../../../../contract/register/device-access.ts';
import { deleteDevice, getDeviceUses, updateDevice } from '../../../../contract/register/devices.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { CommandDialog } from '../commands/send/CommandDialog.tsx';
import { BindDialog } from '../declared/BindDialog.tsx';
import { DeleteDialog } from '../declared/DeleteDialog.tsx';
import { deviceSource, type Row } from '../declared/source.ts';
import { StatusButton } from '../declared/StatusButton.tsx';
import { ActAffects } from '../versioned/ActAffects.tsx';
import { Affects } from './Affects.tsx';

const server = serverForEach();
afterEach(cleanup);
const source = deviceSource(familyOf('gateway')!);
const row: Row = { id: 5, version: 2, labels: {}, updateTime: null, equipmentCode: 'GW-5', status: 'enabled' };
const nothing = (): void => undefined;
const rows = (added: number, changed = 0, removed = 0) => ({ added, changed, removed });

const lampDialog = (ids: readonly number[]) =>
  renderInShell(
    <CommandDialog
      target={{ kind: 'lamps', ids, standing: null }}
      action="on"
      pending={false}
      onSend={() => Promise.resolve()}
      onClose={nothing}
    />,
    { codes: ['lamp.control'] },
  );

test('a command that reaches other lamps than were chosen says how many', async () => {
  server().wouldChange(createCommand, { commandTargets: rows(2), commands: rows(1) });
  await lampDialog([1, 2, 3]);
  expect(await screen.findByText('将影响 2 盏灯')).toBeTruthy();
  const [asked] = server().triesOf(createCommand);
  expect([asked?.query.get('dryRun'), JSON.parse(asked?.body ?? '')]).toEqual([
    '1',
    { deviceIds: [1, 2, 3], command: 'on' },
  ]);
  expect(server().triesOf(createCommand)).toHaveLength(1);
});

test('a number that stands in the form already is not shown twice', async () => {
  server().wouldChange(createCommand, { commandTargets: rows(3), assignments: rows(1) });
  await renderInShell(
    <Affects
      route={createCommand}
      input={{ body: { deviceIds: [1, 2, 3], command: 'on' } }}
      things={['commandTargets', 'assignments']}
      shown={3}
    />,
  );
  expect(await screen.findByText('将影响 1 条方案分配')).toBeTruthy();
});

test('what would be refused is said before it is sent, and warns nobody', async () => {
  server().refuseTries(updateDevice, 409, { code: 1401, message: '已被他人修改' });
  await renderInShell(<StatusButton source={source} row={row} />, { codes: ['device.edit'] });
  fireEvent.click(await screen.findByRole('button', { name: '停用' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/目前无法执行：已被他人修改/)).toBeTruthy();
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(
    server()
      .triesOf(updateDevice)
      .map(({ query }) => query.get('dryRun')),
  ).toEqual(['1']);
});

test('a deletion names what goes beside the device', async () => {
  server().answer(getDeviceUses, { blocking: [], lost: [] });
  server().wouldChange(deleteDevice, { devices: rows(0, 0, 1), assignments: rows(0, 0, 2), positions: rows(0, 0, 1) });
  await renderInShell(<DeleteDialog source={source} row={row} onClose={nothing} onDeleted={nothing} />, {
    codes: ['device.del'],
  });
  expect(await screen.findByText('将影响 2 条方案分配、1 个灯序位置')).toBeTruthy();
});

test('an account is tried when the typing rests', async () => {
  server().answer(listDeviceAccounts, { data: [], recordsTotal: 0 });
  server().wouldChange(bindDeviceAccount, { deviceAccounts: rows(1) });
  await renderInShell(<BindDialog row={row} codeField="equipmentCode" onClose={nothing} />, {
    codes: ['device.edit'],
  });
  const field = await screen.findByRole('textbox');
  for (const value of ['z', 'zh', 'zhang']) fireEvent.change(field, { target: { value } });
  expect(await screen.findByText('将影响 1 个绑定用户')).toBeTruthy();
  expect(
    server()
      .triesOf(bindDeviceAccount)
      .map(({ body }) => JSON.parse(body) as unknown),
  ).toEqual([{ username: 'zhang' }]);
});

test('a scheme that is frozen or withdrawn is tried by the very call, and says that no lamp hears of it', async () => {
  server().wouldChange(freezeScheme, { schemes: rows(1, 1, 1) });
  server().wouldChange(withdrawScheme, { schemes: rows(0, 1), assignments: rows(0, 0, 3) });
  const item = { id: 5, version: 3 };
  await renderInShell(<ActAffects kind="schemes" act="freeze" item={item} />);
  expect(await screen.findByText('不影响任何灯')).toBeTruthy();
  cleanup();
  await renderInShell(<ActAffects kind="schemes" act="withdraw" item={item} />);
  expect(await screen.findByText('将影响 3 条方案分配')).toBeTruthy();
  const bodies = [...server().triesOf(freezeScheme), ...server().triesOf(withdrawScheme)].map(({ body }) => body);
  expect(bodies).toEqual(['{"version":3,"note":null}', '{"version":3}']);
});

test('a command that only wants the number of lamps is not called impossible', async () => {
  server().refuseTries(createCommand, 400, { code: errors.countNeeded.code, message: '输入 301 以确认', count: 301 });
  await lampDialog([1, 2, 3]);
  expect((await screen.findByText(/输入 301 以确认/)).textContent).not.toContain('目前无法执行');
});
