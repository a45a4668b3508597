import { expect, test } from 'vitest';
import type { SheetKind } from './kind.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../*/*/*-sheet.ts', { eager: true });
const isKind = (value: unknown): value is SheetKind<never> =>
  typeof value === 'object' && value !== null && 'module' in value && 'open' in value;

test('every sheet is found by the thread that writes it: by its module and its name there', () => {
  const kinds = Object.entries(modules).flatMap(([path, exports]) =>
    Object.values(exports)
      .filter(isKind)
      .map((kind) => ({ path, kind, found: exports[kind.name] })),
  );
  expect(kinds.length).toBeGreaterThanOrEqual(4);
  for (const { path, kind, found } of kinds) {
    expect(found).toBe(kind);
    expect(kind.module.endsWith(path.replace(/^(?:\.\.\/)+/, ''))).toBe(true);
  }
});
