import { expect, test } from 'vitest';
import { pseudo } from './pseudo.ts';

test('the pseudo-language keeps placeholders and marks everything else', () => {
  expect(pseudo('Close “{{title}}”')).toMatch(/^\[Çĺóšé “\{\{title\}\}”~+\]$/i);
});
