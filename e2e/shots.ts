import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { signInAdmin } from './fixtures/api.ts';
import { openBrowser, person, type Look } from './fixtures/browser.ts';
import { startProduct } from './fixtures/product.ts';
import { scenes } from './shots/scenes.ts';

/**
 * `npm run shots [-- folder] [--url=… --password=…] [--only=name,name] [--release | --guide]`: photographs every screen
 * of the demo city in zh-CN and fr-FR, light and dark, desk and phone, as PNG; with --release the gallery of
 * docs/screens alone, with --guide the pictures of docs/guide, as WebP of at most 60 KB each.
 */
const options = new Map(
  process.argv
    .slice(2)
    .filter((arg) => arg.startsWith('--'))
    .map((arg) => arg.slice(2).split('=', 2) as [string, string | undefined]),
);
/** A folder of pictures that is part of the papers; undefined: every screen. */
const wanted = options.has('release') ? 'release' : options.has('guide') ? 'guide' : undefined;
const folder =
  process.argv.slice(2).find((arg) => !arg.startsWith('-')) ??
  (wanted
    ? join(import.meta.dirname, '../docs', { release: 'screens', guide: 'guide/pictures' }[wanted])
    : '.cache/shots');
const only = options.get('only')?.split(',');
const password = options.get('password') ?? 'Shots-4711-night';
const maxBytes = 60 * 1024;

const looks: (Look & { name: string })[] = [];
for (const language of wanted === 'guide' ? ['zh_CN', 'en_US'] : ['zh_CN', 'fr_FR'])
  for (const theme of ['light', 'dark'] as const) {
    looks.push(
      { name: `${language}-${theme}`, language, theme, width: 1440, height: 900 },
      { name: `${language}-${theme}-phone`, language, theme, width: 390, height: 844 },
    );
  }
/** The pictures of docs/guide, in each of its two languages. */
const guide = (language: string): string[] => [
  `home-${language}-light`,
  `lamp-monitor-${language}-dark`,
  `command-${language}-light`,
  `lamp-why-${language}-light`,
  `publish-${language}-light`,
  `exception-new-${language}-light`,
  `night-${language}-light`,
  `lamp-drawer-${language}-light-phone`,
];
/** The pictures of docs/screens: those that say most. */
const released: readonly string[] = [
  'sign-in-zh_CN-dark',
  'home-zh_CN-dark',
  'lamp-monitor-zh_CN-dark',
  'lamp-monitor-list-fr_FR-light',
  'lamp-device-zh_CN-light',
  'lamp-drawer-zh_CN-dark-phone',
  'scheme-zh_CN-light',
  'scheme-simulation-zh_CN-dark',
  'publish-fr_FR-light',
  'publication-zh_CN-dark',
  'night-zh_CN-light',
  'lamp-why-zh_CN-dark-phone',
];

const gallery = { release: released, guide: ['zh_CN', 'en_US'].flatMap(guide) }[wanted ?? 'release'];
const missing = (wanted ? gallery : []).filter(
  (name) => !looks.some((look) => scenes.some((scene) => `${scene.name}-${look.name}` === name)),
);
if (missing.length > 0) throw new Error(`no scene makes the picture ${missing.join(', ')}`);

const running = options.get('url');
const product = running ? undefined : await startProduct({ env: { DEMO: 'on' } });
const url = running ?? product?.url ?? '';
const browser = await openBrowser();
try {
  const { token } = await signInAdmin(product ?? { url, initialPassword: () => password }, password);
  await litCity(url, token);
  mkdirSync(folder, { recursive: true });
  for (const look of looks) {
    for (const scene of scenes.filter(
      ({ name }) => (!only || only.includes(name)) && (!wanted || gallery.includes(`${name}-${look.name}`)),
    )) {
      const context = await person(browser, look);
      await context.addInitScript(
        `localStorage.setItem('theme', '${look.theme}');${scene.signedIn ? `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('username', 'admin')` : ''}`,
      );
      const page = await context.newPage();
      // A city that is counting its night, on a busy machine.
      page.setDefaultTimeout(180_000);
      await page.goto(url + scene.path);
      await scene.prepare?.(page);
      await keep(`${scene.name}-${look.name}`, await page.screenshot());
      await context.close();
    }
  }
} finally {
  await browser.close();
  await product?.stop();
}

async function keep(name: string, png: Buffer): Promise<void> {
  if (!wanted) {
    writeFileSync(join(folder, `${name}.png`), png);
    return;
  }
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  for (let quality = 85; quality > 5; quality -= 8) {
    const webp = canvas.toBuffer('image/webp', quality);
    if (webp.length > maxBytes && quality > 13) continue;
    writeFileSync(join(folder, `${name}.webp`), webp);
    return;
  }
}

/** Waits until nearly all lamps of the demo city have reported. */
async function litCity(base: string, token: string): Promise<void> {
  const get = async <T>(path: string) =>
    (await fetch(base + path, { headers: { authorization: token } }).then((reply) => reply.json())) as T;
  for (let tries = 0; tries < 300; tries += 1) {
    const counts = await get<{ total: number; states: Record<string, number> }>('/api/v1/lamps/counts');
    const { energy } = await get<{ energy: { covered: number } }>('/api/v1/home');
    // Lit, and what the devices had kept from the night before is delivered.
    if (
      counts.total > 0 &&
      (counts.states['unknown'] ?? 0) < counts.total * 0.02 &&
      energy.covered > counts.total * 0.9
    )
      return;
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
  }
}
