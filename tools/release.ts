import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packRelease } from './release/pack.ts';
import { releasePlan } from './release/plan.ts';
import { root } from './run.ts';

/**
 * `npm run release [-- folder]`: an archive of this platform that starts on a machine without Node, npm or a network,
 * and its checksum beside it. Default folder: dist/release.
 */
const begin = performance.now();
const folder = process.argv[2] ?? join(root, 'dist/release');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const commit = git('rev-parse', 'HEAD');
if (git('status', '--porcelain', '--untracked-files=no') !== '') {
  process.stderr.write('There are changes that are not committed: a release is made of a commit.\n');
  process.exit(1);
}
const committedAt = new Date(git('log', '-1', '--format=%cI'));
const platform = `${process.platform}-${process.arch}`;
const name = `lampyris-${version}-${commit.slice(0, 12)}-${platform}`;
const facts = { version, commit, platform, node: process.versions.node, committedAt: committedAt.toISOString() };

mkdirSync(folder, { recursive: true });
const archive = join(folder, `${name}.tar.gz`);
const packed = await packRelease(archive, name, releasePlan(root, facts), committedAt);
writeFileSync(`${archive}.sha256`, `${packed.sha256}  ${name}.tar.gz\n`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
process.stdout.write(
  `${archive}: ${packed.files} files, ${megabytes(packed.plainBytes)}, packed ${megabytes(packed.bytes)}, ${((performance.now() - begin) / 1000).toFixed(0)} s\nsha256 ${packed.sha256}\n`,
);
