import type { Binding } from '../../../platform/http/index.ts';
import type { CallOptions, Reply, TestParts } from '../../../testing/app.ts';
import { signInTestApp, type SignInTestApp } from '../../../testing/sign-in.ts';
import { usersRoutes } from '../index.ts';

export interface Problem {
  code: number;
  detail: string;
  message: string;
  params: { field: string; rule: string; message: string }[];
}
export interface Made {
  data: { id: number; password: string };
}

/** Accounts by the calls of users, and `further` routes. Call it at the top of a test file. */
export async function usersOffice(further: (parts: TestParts) => readonly Binding[] = () => []) {
  const app: SignInTestApp = await signInTestApp({
    routes: (parts) => [
      ...usersRoutes({
        ...parts,
        openPassword: (text) => app.feature.openPassword(text),
        checkOwnPassword: (...of) => app.feature.checkOwnPassword(...of),
      }),
      ...further(parts),
    ],
  });

  const fieldsOf = ({ body }: Reply<unknown>): string[] =>
    (body as Problem).params.map(({ field, rule }) => `${field} ${rule}`).toSorted();
  const create = (body: object, options: CallOptions = {}) =>
    app.call<Made & Problem>('/api/tbUsers', { body, ...options });
  const put = (path: string, body: object, options: CallOptions = {}) =>
    app.call<Problem>(path, { method: 'PUT', body, ...options });
  let number = 0;
  async function account(level = 3, roles: unknown = '1'): Promise<number> {
    number += 1;
    return (await create({ username: `u${number}x`, roles, treeLevel: level })).body.data.id;
  }
  const details = { familyName: '周', name: '敏', mobile: '13800138000', email: 'zhoumin@example.com' };
  const full = (over: object = {}) => ({ username: `f${(number += 1)}x`, ...details, roles: [1], ...over });

  return { app, fieldsOf, create, put, account, details, full };
}
