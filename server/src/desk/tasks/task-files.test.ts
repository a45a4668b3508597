import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { taskOffice, type Task } from './testing/task-office.ts';

const { folder, clock, gate, app, started, token, stranger, begin, get, act, reached } = await taskOffice();

describe('whose they are', () => {
  test('everybody has his own, newest first, and nobody else’s', async () => {
    const ids = [(await begin()).body.id, (await begin()).body.id];
    const list = async (as: string) =>
      (await app.call<{ data: Task[]; recordsTotal: number }>('/api/v1/tasks?size=10', { token: as })).body;
    expect((await list(token)).data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await list(stranger.token)).toEqual({ data: [], recordsTotal: 0 });
    const id = ids[0] ?? 0;
    const statuses = [
      (await app.call(`/api/v1/tasks/${id}`, { token: stranger.token })).status,
      (await act(id, 'cancel', stranger.token)).status,
      (await act(id, 'repeat', stranger.token)).status,
      (await app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token: stranger.token })).status,
      (await app.call(`/api/v1/tasks/${id}/file`, { token: stranger.token })).status,
    ];
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  });

  test('the code of the call is needed to begin, and still to take the file', async () => {
    const weak = await app.signIn({ username: 'weak', permissions: ['cscp.logging.operation'] });
    expect((await begin('export.login-log', { token: weak.token })).status).toBe(403);
    const {
      body: { id },
    } = await begin('export.operation-log', { token: weak.token });
    started();
    await reached(id, 'done', weak.token);
    await app.database.pool.query('DELETE FROM account_role WHERE account_id = $1', [weak.accountId]);
    expect((await app.call(`/api/v1/tasks/${id}/file`, { token: weak.token })).status).toBe(403);
  });

  test('at most five are open at once', async () => {
    for (let count = 0; count < 5; count += 1) await begin();
    const sixth = await begin();
    expect([sixth.status, sixth.body.title]).toEqual([400, '未结束的任务过多']);
    expect((await begin('export.login-log', { token: stranger.token })).status).toBe(201);
  });
});

describe('files', () => {
  const made = async () => {
    gate.open.resolve();
    started();
    return (await reached((await begin()).body.id, 'done')).id;
  };

  test('removing an ended task removes its file, but not one that another task shares', async () => {
    const kept = () =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]{64}$/.test(name)).length;
    const [one, two] = [await made(), await made()];
    const both = kept();
    const remove = (id: number) => app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token });
    expect((await remove(one)).status).toBe(204);
    expect((await app.call(`/api/v1/tasks/${two}/file`, { token })).status).toBe(200);
    await remove(two);
    expect(kept()).toBe(both - 1);
  });

  test('what still runs is neither removed nor repeated, and has no file yet', async () => {
    const {
      body: { id },
    } = await begin();
    expect([
      (await app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token })).status,
      (await act(id, 'repeat')).status,
      (await app.call(`/api/v1/tasks/${id}/file`, { token })).status,
    ]).toEqual([400, 400, 400]);
  });

  test('after 7 days task and file are gone', async () => {
    const id = await made();
    await clock.advance(6 * 86_400_000);
    expect((await get(id)).state).toBe('done');
    await clock.advance(2 * 86_400_000);
    await expect.poll(async () => (await app.call(`/api/v1/tasks/${id}`, { token })).status).toBe(404);
  });

  test('a file that is lost is told as such', async () => {
    const id = await made();
    for (const name of readdirSync(folder, { recursive: true })
      .map(String)
      .filter((entry) => /[0-9a-f]{64}$/.test(entry)))
      rmSync(join(folder, name));
    const reply = await app.call<Task>(`/api/v1/tasks/${id}/file`, { token });
    expect([reply.status, reply.body.title]).toEqual([404, '任务文件已过期或不存在，请重新执行任务']);
  });
});
