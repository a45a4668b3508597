import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Step {
  readonly name: string;
  /** Ends with its problems, one line each; none: it passed. */
  run(): Promise<string[]>;
}

export interface Outcome {
  readonly name: string;
  readonly problems: readonly string[];
  readonly seconds: number;
}

/** Runs steps, two at a time (the machines this is for have two cores), and tells each end as it comes. */
export async function runSteps(steps: readonly Step[]): Promise<Outcome[]> {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const begin = performance.now();
      const problems = await step
        .run()
        .catch((thrown: unknown) => [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)]);
      const outcome = { name: step.name, problems, seconds: (performance.now() - begin) / 1000 };
      outcomes.push(outcome);
      process.stdout.write(
        `${problems.length === 0 ? 'passed' : 'FAILED'}  ${step.name}  (${outcome.seconds.toFixed(1)} s)\n${problems.map((line) => `        ${line}\n`).join('')}`,
      );
    }
  };
  await Promise.all([work(), work()]);
  return outcomes;
}

/** A step that is a program of node_modules/.bin (or any other): what it says is the problem when it fails. */
export function program(name: string, command: string, args: readonly string[]): Step {
  return {
    name,
    run: () =>
      new Promise((resolve, reject) => {
        const child = spawn(command, args, {
          cwd: root,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => (said += text));
        child.once('error', reject);
        child.once('close', (code) => resolve(code === 0 ? [] : said.trim().split('\n')));
      }),
  };
}
