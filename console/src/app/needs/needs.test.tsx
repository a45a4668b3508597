import { generateKeyPairSync } from 'node:crypto';
import { act, cleanup, configure, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCommand } from '../../../../contract/light/commands.ts';
import { confirmPassword } from '../../../../contract/people/me.ts';
import { getPublicKey } from '../../../../contract/specified/sign-in.ts';
import { resetUserPassword } from '../../../../contract/specified/users.ts';
import { ApiError, call, reactToRefusals } from '../../api/index.ts';
import { useErrorText } from '../../parts/index.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { NeedHost } from './NeedHost.tsx';
import { askNeeded, needs } from './needs.ts';

const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');
const forbidden = vi.fn<(error: ApiError) => void>();
let server: ContractServer;

// Two busy cores: what is waited for comes, but not within the libraries' usual second.
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  forbidden.mockClear();
  reactToRefusals({ signedOut: () => undefined, forbidden, needed: askNeeded });
  server = await contractServer();
  server.answer(getPublicKey, { publicKey });
});
afterEach(async () => {
  act(() => needs.getState().current?.answer(undefined));
  cleanup();
  reactToRefusals(undefined);
  await server.close();
});

/** Refused until `isGiven`; then answered. */
const refusedUntil = (isGiven: () => boolean) =>
  server.on(resetUserPassword, () =>
    isGiven()
      ? { status: 200, body: { code: 0, msg: '', data: { id: 7, password: 'x' } } }
      : {
          status: 403,
          body: { status: 403, code: 1213, message: '为此操作需要再次输入您的登录密码。', requestId: 'r-1' },
        },
  );
const type = async (label: string, text: string): Promise<void> =>
  void fireEvent.change(await screen.findByLabelText(label, { exact: false, selector: 'input' }), {
    target: { value: text },
  });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('a call that needs the own password asks for it and is sent again; several wait for one dialog', async () => {
  let confirmed = false;
  refusedUntil(() => confirmed);
  server.refuse(confirmPassword, 400, { code: 2010, message: '当前登录密码错误', attempts: 4 });
  await renderInShell(<NeedHost />);
  const calls = Promise.all([7, 8].map((id) => call(resetUserPassword, { params: { id } })));
  await type('您的登录密码', 'wrong');
  press('确认');
  expect(await screen.findByText('密码错误，还可以尝试 4 次')).toBeTruthy();
  server.on(confirmPassword, () => {
    confirmed = true;
    return { status: 204, body: null };
  });
  await type('您的登录密码', 'right');
  press('确认');
  expect((await calls).map(({ data }) => data.password)).toEqual(['x', 'x']);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.of(confirmPassword).every(({ body }) => !body.includes('right'))).toBe(true);
  expect(forbidden).not.toHaveBeenCalled();
});

test('who gives up is told why nothing was done', async () => {
  refusedUntil(() => false);
  await renderInShell(<NeedHost />);
  const refused = call(resetUserPassword, { params: { id: 7 } }).then(
    () => new Error('not refused'),
    (error: Error) => error,
  );
  await screen.findByLabelText('您的登录密码', { exact: false, selector: 'input' });
  press('取消');
  const error = await refused;
  expect(error.message).toBe('为此操作需要再次输入您的登录密码。');
  // Nothing failed whose number somebody would look for.
  expect(renderHook(() => useErrorText()).result.current(error)).toBe('为此操作需要再次输入您的登录密码。');
});

test('the number of lamps is typed, and goes with the command', async () => {
  server.on(createCommand, ({ body }) =>
    body.includes('"confirmCount":301')
      ? { status: 201, body: { id: 1, total: 301, state: 'running' } }
      : { status: 400, body: { status: 400, code: 4017, message: '请输入数量 301 以确认。', count: 301, minutes: 10 } },
  );
  await renderInShell(<NeedHost />);
  const made = call(createCommand, { body: { deviceIds: [1], command: 'off' } });
  await type('灯的数量', '30');
  expect(screen.getByRole('button', { name: '确认下发' }).hasAttribute('disabled')).toBe(true);
  expect(screen.queryByText('与 301 不符')).toBeNull();
  await type('灯的数量', '31');
  expect(screen.getByText('与 301 不符')).toBeTruthy();
  await type('灯的数量', '３０１');
  press('确认下发');
  expect((await made).total).toBe(301);
  expect(server.of(createCommand)).toHaveLength(2);
});

test.each([
  ['Escape', 'password', () => fireEvent.keyDown(document.activeElement!, { key: 'Escape' })],
  ['giving up', 'count', () => press('取消')],
  [
    'an answer',
    'count',
    async () => {
      await type('灯的数量', '30');
      press('确认下发');
    },
  ],
] as const)(
  'after %s (%s) the focus is where it was, although the button was busy meanwhile',
  async (_what, kind, leave) => {
    await renderInShell(
      <>
        <button type="button">重置</button>
        <NeedHost />
      </>,
    );
    const button = screen.getByRole('button', { name: '重置' }) as HTMLButtonElement;
    button.focus();
    // As browsers do with what becomes disabled.
    button.disabled = true;
    button.blur();
    const asked = act(async () =>
      askNeeded(new ApiError('problem', { status: 400, code: kind === 'password' ? 1213 : 4017, count: 30 })),
    );
    await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'));
    await leave();
    await asked;
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    button.disabled = false;
    await waitFor(() => expect(document.activeElement).toBe(button));
  },
);
