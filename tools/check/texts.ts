import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a text must stand in the code, and why. */
const exceptions: ReadonlySet<string> = new Set([
  // Shown when the program's own files did not load: then there is no language file either.
  'console/src/app/main.tsx',
  // Languages are named in themselves, in every language.
  'console/src/app/shell/HeaderMenus.tsx',
]);

/** Tests and their support: they name what a person reads. */
const outside = /\.test\.tsx$|\/testing\//;

/** Chinese written into the console's components, one line each: texts for people live in the language files. */
export function hardCodedTexts(root: string): string[] {
  const problems: string[] = [];
  for (const file of globSync('console/src/**/*.tsx', { cwd: root })) {
    if (exceptions.has(file) || outside.test(file)) continue;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      if (/\p{Script=Han}/u.test(line.replace(/\/\/.*|\/?\*.*/, '')))
        problems.push(
          `${file}:${index + 1}: text for people belongs into the texts of its folder: ${line.trim().slice(0, 80)}`,
        );
    }
  }
  return problems;
}
