import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../run.ts';

/** Papers in two languages say the same: what does not depend on a language is the same in both. */
const pairs = [
  ['docs/operations.md', 'docs/operations.zh-CN.md'],
  ['docs/ops/monitoring.md', 'docs/ops/monitoring.zh-CN.md'],
  ['docs/guide/en.md', 'docs/guide/zh-CN.md'],
  ['README.md', 'README.zh-CN.md'],
] as const;

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((found) => found[1] ?? found[0]);
const fence = /^```\w*\n([\s\S]*?)^```$/gm;
const prose = (text: string) => text.replaceAll(fence, '');
/** Files that a text links to or shows, without the language in their names: a paper leads to its own language. */
const linked = (text: string) =>
  [...all(prose(text), /\]\(([^)#]+)[^)]*\)/g), ...all(prose(text), /src="([^"]+)"/g)].map((link) =>
    link.replace(/[-._](zh[-_]CN|en[-_]US)|\/(zh-CN|en)\.md/g, '').replace(/^(zh-CN|en)\.md$/, ''),
  );
const sorted = (list: Iterable<string>) => [...new Set(list)].toSorted();

describe.each(pairs)('%s and %s', (english, chinese) => {
  const [en, zh] = [read(english), read(chinese)];

  test('have the same headings, lists and tables', () => {
    const shape = (text: string) =>
      all(prose(text), /^(#{1,4} |\|(?=-)| *\d+\. | *- |\| )/gm).map((mark) => mark.trim().replace(/\d+/, '1'));
    expect(shape(zh)).toEqual(shape(en));
  });
  test('have the same commands, settings and names', () => {
    const blocks = (text: string) => all(text, fence).map((block) => block.replaceAll(/\s+#.*$/gm, ''));
    expect(blocks(zh)).toEqual(blocks(en));
    const names = (text: string) => sorted(all(prose(text), /`([^`\n]+)`/g));
    expect(names(zh)).toEqual(names(en));
  });
  test('have the same pictures and links', () => {
    expect(sorted(linked(zh))).toEqual(sorted(linked(en)));
  });
});

test('both handbooks name every setting of the program', () => {
  const settings = all(read('server/src/config.ts'), /'([A-Z][A-Z_]+)'/g);
  expect(settings.length).toBeGreaterThan(20);
  for (const file of pairs[0])
    for (const name of settings) expect(read(file), `${file}: ${name}`).toContain(`\`${name}\``);
});

test('words that the guides quote stand on the screen', () => {
  const texts = (language: string) =>
    readdirSync(join(root, 'console/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(`texts/${language}.json`))
      .flatMap((file) => Object.values(JSON.parse(read(`console/src/${file}`)) as Record<string, string>));
  /** A paper writes … where the screen has a value. */
  const withoutValues = (text: string) => text.replaceAll(/\s*(\{\{\w+\}\}|…)\s*/g, '…');
  for (const [file, language, quoted] of [
    ['docs/guide/zh-CN.md', 'zh-CN', /「([^」]+)」/g],
    ['docs/guide/en.md', 'en-US', /\*\*([^*]+)\*\*/g],
  ] as const) {
    const known = texts(language);
    const patterns = new Set(known.map(withoutValues));
    const unknown = all(read(file), quoted).filter(
      (words) =>
        words !== 'bold' && !patterns.has(withoutValues(words)) && !known.some((text) => text.startsWith(`${words} `)),
    );
    expect(unknown, file).toEqual([]);
    expect(all(read(file), /\{\{/g), `${file}: …, no name of a value`).toEqual([]);
  }
});

test('pictures of a paper speak its language', () => {
  /** Pictures that a paper shows in the other language, and why. */
  const foreign: Record<string, string> = {
    'docs/guide/en.md: pictures/exception-new-zh_CN-light.webp': 'not yet taken in English',
    'docs/guide/en.md: pictures/lamp-drawer-zh_CN-light-phone.webp': 'not yet taken in English',
    'README.md: docs/screens/lamp-monitor-zh_CN-dark.webp': 'one picture for both: the map has few words',
  };
  const found = pairs.flatMap((pair) =>
    pair.flatMap((paper, index) =>
      [...all(prose(read(paper)), /!\[[^\]]*\]\(([^)]+)\)/g), ...all(prose(read(paper)), /src="([^"]+)"/g)]
        .filter((picture) => !picture.includes(index === 0 ? '-en_US-' : '-zh_CN-'))
        .map((picture) => `${paper}: ${picture}`),
    ),
  );
  expect(sorted(found)).toEqual(sorted(Object.keys(foreign)));
});

test('every link of a paper leads to a file, every place in it to a heading', () => {
  const papers = ['README.md', 'README.zh-CN.md', 'SECURITY.md', 'CONTRIBUTING.md', ...markdownBelow('docs')];
  // As GitHub makes them: small letters, no punctuation, a dash for a space.
  const places = (text: string) =>
    all(prose(text), /^#{1,4} (.+)$/gm).map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  const wrong = papers.flatMap((paper) =>
    all(prose(read(paper)), /\]\(((?!https?:)[^)\s]+)\)/g)
      .filter((link) => {
        const [path = '', place] = link.split('#', 2);
        const target = path === '' ? paper : relative(root, join(root, dirname(paper), path));
        if (!existsSync(join(root, target))) return true;
        return place !== undefined && target.endsWith('.md') && !places(read(target)).includes(place);
      })
      .map((link) => `${paper}: ${link}`),
  );
  expect(wrong).toEqual([]);
});

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('generated'))
    .map((file) => `${folder}/${file}`);
}
