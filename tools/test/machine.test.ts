import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { prepareMachine } from './machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-machine-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function machine(name: string) {
  const looks: string[] = [];
  const calls: (readonly string[])[] = [];
  const need = (one: string) => ({
    package: one,
    for: 'a test',
    find: () => {
      looks.push(one);
      const path = join(folder, `${name}-${one}`);
      return existsSync(path) ? path : undefined;
    },
  });
  const bring = (one: string) => writeFileSync(join(folder, `${name}-${one}`), '');
  return {
    looks,
    calls,
    bring,
    given: {
      needs: [need('lamp'), need('pole')],
      stamp: join(folder, `${name}.stamp`),
      install: (packages: readonly string[]) => {
        calls.push(packages);
        packages.forEach(bring);
      },
    },
  };
}

it('installs what is missing by one call, and a second time neither looks nor installs', () => {
  const { given, calls, looks } = machine('bare');
  expect(prepareMachine(given)).toEqual([]);
  expect(calls).toEqual([['lamp', 'pole']]);
  looks.length = 0;
  expect(prepareMachine(given)).toEqual([]);
  expect([calls.length, looks]).toEqual([1, []]);
});

it('looks again when something was taken away, or when more is declared', () => {
  const { given, calls } = machine('changed');
  prepareMachine(given);
  rmSync(join(folder, 'changed-pole'));
  expect(prepareMachine(given)).toEqual([]);
  expect(calls).toEqual([['lamp', 'pole'], ['pole']]);
  expect(
    prepareMachine({
      ...given,
      needs: [...given.needs, { package: 'mast', for: 'a test', find: () => undefined }],
      install: () => undefined,
    }),
  ).toEqual(['mast is missing (for a test): apt-get install mast']);
});

it('says what is missing where it may not install', () => {
  const { given, bring } = machine('user');
  bring('lamp');
  expect(prepareMachine({ ...given, install: null })).toEqual([
    'pole is missing (for a test): apt-get install pole (as root; this is not)',
  ]);
  bring('pole');
  expect(prepareMachine({ ...given, install: null })).toEqual([]);
});

it('installs what is better than what is there, and is content with that where it may not', () => {
  const { given, calls, bring } = machine('dear');
  bring('lamp');
  bring('lantern');
  const lantern = join(folder, 'dear-lantern');
  const needs = given.needs.map((need) => (need.package === 'pole' ? { ...need, instead: () => lantern } : need));
  const stamp = `${given.stamp}-user`;
  expect(prepareMachine({ needs, stamp, install: null })).toEqual([]);
  expect(existsSync(stamp)).toBe(true);
  expect(prepareMachine({ ...given, needs })).toEqual([]);
  expect(calls).toEqual([['pole']]);
});
