import { judge } from './test/suite.ts';
import { runVitest } from './test/vitest.ts';

/** npm run soak: what takes too long for npm test. Arguments choose files, as vitest takes them. */
const { files, lost } = await runVitest({ config: 'tools/soak/vitest.config.ts', more: process.argv.slice(2) });
const { counts } = judge(files.map((file) => ({ first: file, last: file })), lost, new Set());
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
