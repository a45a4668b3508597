import { describe, expect, test } from 'vitest';
import { writtenLine, writtenName, writtenNames, writtenParams, writtenUnknownName } from './written.ts';

describe('what the logs keep of a name', () => {
  test.each([
    ['control and bidi characters are visible', 'a\u202eb\nc\u0007', '"a\\u202eb\\u000ac\\u0007"'.slice(1, -1)],
    ['64 characters at most', 'x'.repeat(80), `${'x'.repeat(63)}…`],
    ['never half a character', `${'x'.repeat(62)}😀😀`, `${'x'.repeat(62)}…`],
  ])('%s', (_what, name, written) => expect(writtenName(name)).toBe(written));

  test.each([
    ['P4ssword!', 'P***!'],
    ['x', '***'],
    ['', '***'],
    ['😀ab😀', '😀***😀'],
    ['\u202eab', '\\u202e***b'],
  ])('of one that does not exist: its ends (%j)', (name, written) => {
    expect(writtenUnknownName(name)).toBe(written);
  });

  test('both names of a preview fit, each with its beginning', () => {
    expect(writtenNames('zhang', 'admin')).toBe('zhang ← admin');
    const long = writtenNames('z'.repeat(64), 'a'.repeat(64));
    expect(long).toMatch(/^z{29}… ← a{29}…$/);
    expect(long.length).toBeLessThanOrEqual(64);
  });
});

describe('what the logs keep of parameters', () => {
  test('secrets at any depth are masked, whatever they are', () => {
    const written = writtenParams({
      body: {
        currentUserPwd: 'S3cret',
        cscpUserDetailDTO: { name: 'a' },
        newPassword: ['S3cret'],
        token: { value: 'S3cret' },
        password: 7,
      },
    });
    expect(written).not.toMatch(/S3cret|7/);
    expect(written).toContain('"name":"a"');
  });

  test('pictures by their length, long texts cut, 4 KB in all', () => {
    expect(writtenParams({ imgPath: `data:image/png;base64,${'A'.repeat(5000)}` })).toBe(
      '{"imgPath":"[picture, 5022 characters]"}',
    );
    expect(writtenParams({ text: 'x'.repeat(5000) })).toContain('(5000 characters)');
    const long = String(writtenParams({ list: Array.from({ length: 90 }, () => '灯'.repeat(100)) }));
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(4096);
    expect(long.endsWith('…')).toBe(true);
    expect(long).not.toContain('\ufffd');
  });

  test('what is nested too deep is no error', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(writtenParams({ deep })).toBe('"[unreadable]"');
  });

  test('nothing is null', () =>
    expect([writtenParams(undefined), writtenParams(null), writtenParams({})]).toEqual([null, null, null]));
});

test('a line is cut with its mark', () => expect(writtenLine('abcdef', 4)).toBe('abc…'));
