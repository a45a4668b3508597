import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * What takes longest begins first within its project, so that no core waits for it at the end; the others as vitest has them, who on a fresh
 * checkout knows only how large a file is. `slow`: ends of paths, in the order they are to begin.
 */
export function longestFirst(slow: readonly string[]): TestSequencerConstructor {
  const place = ({ moduleId }: TestSpecification): number => {
    const found = slow.findIndex((end) => moduleId.endsWith(`/${end}`));
    return found === -1 ? slow.length : found;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const projects = [...new Set(sorted.map(({ project }) => project.name))];
      return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name).toSorted((one, other) => place(one) - place(other)));
    }
  };
}
