import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Need {
  readonly package: string;
  readonly present: () => boolean;
  readonly for: string;
}

const isProgram = (...paths: string[]) => paths.some((path) => existsSync(path));

const needs: readonly Need[] = [
  { package: 'chromium', for: 'the browser journeys', present: () => isProgram('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome') },
  { package: 'fonts-noto-cjk', for: 'Chinese, Japanese and Korean in the browser', present: () => spawnSync('fc-list', [':lang=zh', 'family']).stdout?.toString().trim() !== '' },
  { package: 'mosquitto', for: 'the tests of an external broker', present: () => isProgram('/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto') },
];

/** Installs what the tests need from Debian when we are root; else returns one line for each thing that is missing. */
export function prepareMachine(): string[] {
  const missing = needs.filter((need) => !need.present());
  if (missing.length === 0) return [];
  const names = missing.map((need) => need.package);
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(`Installing ${names.join(', ')} from Debian …\n`);
    const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', ...names, ...(names.includes('fonts-noto-cjk') ? ['fontconfig'] : []));
  }
  return missing.filter((need) => !need.present()).map((need) => `${need.package} is missing (for ${need.for}): apt-get install ${need.package}`);
}
