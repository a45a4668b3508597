import { runVitest } from './test/vitest.ts';

/** npm run soak: what takes too long for npm test. Arguments choose files, as vitest takes them. */
const counts = await runVitest('tools/soak/vitest.config.ts', process.argv.slice(2));
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
