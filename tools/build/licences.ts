import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.ts';
import { noticesOf, type ShippedPackage } from './packages.ts';

const line = '-'.repeat(80);

/**
 * The notices of everything that is served or shipped, as one text: our own licence, then each text once with the
 * packages it is of.
 */
export function licencesText(packages: readonly ShippedPackage[]): string {
  const byText = new Map<string, string[]>();
  for (const one of packages) {
    const texts = noticesOf(one);
    const whole =
      texts.length > 0 ? texts.join(`\n\n`) : `Licence: ${one.licence} (the package brings no text of its own)`;
    byText.set(whole, [...(byText.get(whole) ?? []), `${one.name} ${one.version} (${one.licence})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return (
    [
      'Lampyris\n\n' + readFileSync(join(root, 'LICENSE'), 'utf8').trim(),
      ...parts,
      readFileSync(new URL('native-notices.txt', import.meta.url), 'utf8').trim(),
    ].join(`\n\n${line}\n`) + '\n'
  );
}
