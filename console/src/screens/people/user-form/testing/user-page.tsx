import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { getCurrentUser } from '../../../../../../contract/specified/account.ts';
import { listRoles } from '../../../../../../contract/specified/roles.ts';
import { getPasswordRule, getPublicKey } from '../../../../../../contract/specified/sign-in.ts';
import type { createUserDetails, updateUserDetails } from '../../../../../../contract/specified/users.ts';
import { getLevels, getUserDetails, userExists } from '../../../../../../contract/specified/users.ts';
import { asked } from '../../../../frame/ask.ts';
import type { TabStore } from '../../../../frame/tabs/tab-store.ts';
import { toasts } from '../../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../../testing/contract-server.ts';
import { renderInShell } from '../../../../testing/shell.tsx';
import type { Detail } from '../../../../parts/people/user-form/values.ts';

/** The form of an account, and what the server answers to it. Call it at the top of a test file. */
export function userPage() {
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  const at = '2026-11-20T13:00:00.000Z';
  const detail: Detail = {
    id: 7,
    userId: 7,
    did: null,
    username: 'chenhui',
    nickname: null,
    familyName: '陈',
    name: '慧敏',
    mobile: '13800138000',
    email: 'chenhui@example.com',
    imgPath: null,
    discTitle: '夜班',
    discDetail: null,
    treeLevel: 3,
    roleIds: '2',
    roleNames: '值守',
    createTime: at,
    updateTime: at,
    registerTime: at,
    lastLogin: null,
    version: 4,
  };
  const me = { ...detail, id: 1, userId: 1, username: 'admin', treeLevel: 0 };
  const role = {
    id: 2,
    name: '值守',
    icon: 'moon',
    roleExtent: '滨江',
    parentId: 0,
    creatorName: 'admin',
    version: 1,
    createTime: at,
    updateTime: at,
    manageable: true,
  };
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const decrypt = (cipher: string): string =>
    privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(cipher, 'base64'),
    ).toString('utf8');
  const levels = { code: 0 as const, msg: '', data: { 0: '管理员', 1: 'A', 2: 'B', 3: 'C', 4: 'D', 5: 'E' } };

  let server: ContractServer;
  let tabs: TabStore;
  const key = '/system/user';
  async function open(what: ReactNode, handOver?: unknown) {
    ({ tabs } = await renderInShell(what, {
      address: key,
      handOver,
      codes: ['cscp.user.add', 'cscp.user.edit'],
      pages: ['user-management'],
    }));
  }
  const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
  async function type(label: string, value: string): Promise<HTMLInputElement> {
    const input = await field(label);
    fireEvent.change(input, { target: { value } });
    return input;
  }
  const leave = async (label: string, value: string) => fireEvent.blur(await type(label, value));
  // A button that works on something is named otherwise meanwhile.
  /** The first wrong field gets the focus with the next picture, when the words are there already. */
  const hasFocus = async (label: string) => {
    const asked = await field(label);
    await waitFor(() => expect(document.activeElement).toBe(asked));
  };
  const submit = async () => fireEvent.click(await screen.findByRole('button', { name: '提交' }));
  const texts = () => toasts.getState().map((toast) => toast.text);
  const bodies = (route: typeof updateUserDetails | typeof createUserDetails) =>
    server.of(route).map((request) => JSON.parse(request.body) as Record<string, unknown>);
  const closed = () => screen.findByText('closed');

  beforeEach(async () => {
    server = await contractServer();
    server.answer(getCurrentUser, me);
    server.answer(getLevels, levels);
    server.answer(listRoles, { data: [role], recordsTotal: 1, recordsFiltered: 1 });
    server.answer(getUserDetails, detail);
    server.answer(userExists, { success: false, msg: '' });
    server.answer(getPublicKey, { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') });
    server.on(getPasswordRule, () => ({
      status: 200,
      body: '8–20 个字符',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }));
  });
  afterEach(async () => {
    cleanup();
    toasts.setState([], true);
    asked.setState({ current: undefined });
    await server.close();
  });

  async function chooseRole() {
    const box = await field('角色');
    fireEvent.mouseDown(box);
    await waitFor(() => expect(document.querySelector('.ant-select-item-option')).not.toBeNull());
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13, which: 13 });
  }
  async function fillIn() {
    await type('用户名', ' chenhui ');
    await type('姓', '陈');
    await type('名', '慧敏');
    await type('手机号码', '13800138000');
    await type('邮箱', 'chenhui@example.com');
    await chooseRole();
  }

  return {
    at,
    detail,
    me,
    decrypt,
    get server() {
      return server;
    },
    get tabs() {
      return tabs;
    },
    key,
    open,
    field,
    type,
    leave,
    hasFocus,
    submit,
    texts,
    bodies,
    closed,
    fillIn,
  };
}
