import { expect, test } from 'vitest';
import { startScript } from '../testing/child.ts';
import { escapeControls } from './log.ts';

test('one JSON object a line; secrets are masked, control characters escaped', async () => {
  const child = startScript('server/src/testing/scripts/say.ts', [
    JSON.stringify({
      authorization: 'Bearer abc',
      request: { headers: { authorization: 'Bearer abc', biyiCaptcha: '{"code":"k3xy"}' } },
      password: 'geheim',
      name: 'evil\u001b[2J\nline',
    }),
  ]);
  expect(await child.ended).toBe(0);
  const lines = child.said().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/abc|geheim|k3xy|\u001b/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    msg: 'said',
    password: '***',
    name: 'evil\u001b[2J\nline',
  });
});

test('what could move a cursor or turn text around becomes visible', () => {
  expect(escapeControls('a\u001b[31m\u202eb\u0007\u009b')).toBe(String.raw`a\u001b[31m\u202eb\u0007\u009b`);
  expect(escapeControls('萤火 é')).toBe('萤火 é');
});
