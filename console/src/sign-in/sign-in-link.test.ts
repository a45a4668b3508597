import { expect, test } from 'vitest';
import { readLinkToken } from './sign-in-link.ts';

test.each([
  ['?token=Bearer%abCD12', 'Bearer%abCD12'],
  ['?token=Bearer%e4%b8%ad', 'Bearer%e4%b8%ad'],
  ['?from=mail&token=Bearer%x_y-z&more=1', 'Bearer%x_y-z'],
  ['?token=Bearer%25abCD12', 'Bearer%abCD12'],
  ['?token=abc', undefined],
  ['?token=', undefined],
  ['?other=Bearer%abc', undefined],
  ['', undefined],
])('%s', (query, token) => {
  expect(readLinkToken(query)).toBe(token);
});
