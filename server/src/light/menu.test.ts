import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languages } from '../../../catalogue/languages.ts';
import { exportExceptions, exportNight, exportPublications } from '../../../contract/desk/exports.ts';
import { cancelException, createException, decideException } from '../../../contract/light/exceptions.ts';
import {
  cancelPublication,
  createPublication,
  decidePublication,
  haltPublication,
  resumePublication,
  revertPublication,
} from '../../../contract/light/publications.ts';
import type { MenuSeed } from '../people/installation/index.ts';
import { checkoutFolder } from '../platform/db/index.ts';
import { lightMenu } from './menu.ts';

const flat = (entries: readonly MenuSeed[]): MenuSeed[] => entries.flatMap((one) => [one, ...flat(one.children ?? [])]);
const entries = flat(lightMenu({ demo: true }).flatMap((part) => part.entries));

it.each([
  ['lamp-templates', { publish: createPublication }],
  ['lamp-schemes', { publish: createPublication }],
  [
    'lamp-publications',
    {
      publish: createPublication,
      resume: resumePublication,
      halt: haltPublication,
      revert: revertPublication,
      cancel: cancelPublication,
      decide: decidePublication,
      export: exportPublications,
    },
  ],
  [
    'lamp-exceptions',
    { make: createException, cancel: cancelException, decide: decideException, export: exportExceptions },
  ],
  ['lamp-nights', { export: exportNight }],
])('every button of %s has its entry, with the permission of its call', (page, buttons) => {
  const below = entries.find(({ name }) => name === page)?.children ?? [];
  for (const [verb, { access }] of Object.entries(buttons))
    expect(
      below.find(({ name }) => name === `${page}-${verb}`),
      verb,
    ).toMatchObject({ type: 'button', permissionCode: access });
});

it.each(languages)('entries of the wing are named in %s', (language) => {
  const file = join(checkoutFolder, 'console/src/frame/menu/texts', `${language}.json`);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  expect(entries.map((one) => one.language ?? one.name).filter((key) => texts[key] === undefined)).toEqual([]);
});
