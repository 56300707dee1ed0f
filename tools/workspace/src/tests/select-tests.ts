import { isIn } from './projects.ts';
import { affectsAll, processTests, readers } from './unimported.ts';
import type { Changes } from './changed-files.ts';
import type { Project } from './projects.ts';

export interface SelectionOptions {
  projects: readonly Project[];
  /** The tests that exist: paths relative to the workspace. */
  tests: readonly string[];
  /** Undefined where everything counts as changed. */
  changes: Changes | undefined;
  /** The tests that import one of the files, directly or indirectly. */
  relatedTo: (files: readonly string[]) => Promise<readonly string[]>;
}

export interface Selection {
  tests: readonly string[];
  /** A line for each group of tests that is left out, with the reason and the command that runs them. */
  leftOut: readonly string[];
}

/** The tests of the product, and those of the developers' instruments that a change can affect. */
export async function productTests(options: SelectionOptions): Promise<Selection> {
  const { projects, tests, changes } = options;
  const instruments = projects.filter(({ isInstrument }) => isInstrument);
  if (changes === undefined || changes.files.some((file) => affectsAll.test(file)))
    return { tests, leftOut: [] };
  const isOfInstrument = (file: string) => instruments.some(({ folder }) => isIn(folder, file));
  const affected = await affectedBy(changes.files, options);
  const isLeftOut = (file: string) => isOfInstrument(file) && !affected.has(file);
  const leftOut = tests.filter(isLeftOut);
  return {
    tests: tests.filter((file) => !isLeftOut(file)),
    leftOut:
      leftOut.length === 0
        ? []
        : [
            `${leftOut.length} files of ${namesOf(leftOut, instruments)}: unchanged since ${changes.base} (npm run test:all)`,
          ],
  };
}

/** The tests that the changes can affect, those in the changed projects first. */
export async function changedTests(options: SelectionOptions): Promise<Selection> {
  const { projects, tests, changes } = options;
  if (changes === undefined || changes.files.some((file) => affectsAll.test(file)))
    return { tests, leftOut: [] };
  const affected = await affectedBy(changes.files, options);
  const selected = tests.filter((file) => affected.has(file));
  const isLeftOut = (file: string) => processTests.test(file) && !changes.files.includes(file);
  const leftOut = projects.filter(({ folder }) => processTests.test(`${folder}/`));
  return {
    tests: selected.filter((file) => !isLeftOut(file)),
    leftOut: [
      `tests that start the services as processes (npm test -- ${leftOut.map(({ name }) => name).join(' ')})`,
    ],
  };
}

async function affectedBy(
  files: readonly string[],
  { tests, relatedTo }: SelectionOptions,
): Promise<Set<string>> {
  const readersOf = (file: string) => readers.filter((reader) => reader.files.test(file));
  const reading = new Set(files.flatMap(readersOf));
  const affected = new Set(await relatedTo(files));
  for (const reader of reading) {
    for (const test of tests) if (reader.tests.test(test)) affected.add(test);
  }
  return affected;
}

function namesOf(files: readonly string[], projects: readonly Project[]): string {
  const named = projects.filter(({ folder }) => files.some((file) => isIn(folder, file)));
  return named.map(({ name }) => name).join(', ');
}
