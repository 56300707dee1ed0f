import { changedTests, productTests } from '../src/tests/select-tests.ts';
import type { SelectionOptions } from '../src/tests/select-tests.ts';

const projects = [
  { name: 'keys', folder: 'libs/keys', isInstrument: false },
  { name: 'bench', folder: 'tools/bench', isInstrument: true },
  { name: 'workspace', folder: 'tools/workspace', isInstrument: true },
  { name: 'system-tests', folder: 'tools/system-tests', isInstrument: false },
];
const keys = 'libs/keys/src/tuple.test.ts';
const bench = 'tools/bench/test/peers.test.ts';
const prose = 'tools/workspace/test/prose.test.ts';
const stack = 'tools/system-tests/test/main-job.test.ts';
const tests = [keys, bench, prose, stack];

/** @param related by changed file, the tests that import it */
function options(files: string[], related: Record<string, string[]> = {}): SelectionOptions {
  return {
    projects,
    tests,
    changes: { base: 'origin/main', files },
    relatedTo: (changed) => Promise.resolve(changed.flatMap((file) => related[file] ?? [])),
  };
}

describe('npm test', () => {
  it('leaves out instruments that are unchanged, and says so', async () => {
    const { tests: selected, leftOut } = await productTests(options([]));
    expect(selected).toEqual([keys, stack]);
    expect(leftOut).toEqual([expect.stringContaining('bench, workspace: unchanged since')]);
  });

  it('runs tests of an instrument that import a changed file', async () => {
    const related = { 'libs/keys/src/tuple.ts': [keys, bench] };
    const { tests: selected } = await productTests(options(['libs/keys/src/tuple.ts'], related));
    expect(selected).toEqual(expect.arrayContaining([keys, bench, stack]));
  });

  it('runs tests of an instrument that read a changed file', async () => {
    const { tests: selected } = await productTests(options(['docs/http.md']));
    expect(selected).toEqual([keys, prose, stack]);
  });

  it.each(['package-lock.json', 'jest.config.cjs', 'tsconfig.base.json'])(
    'leaves out nothing where %s has changed',
    async (file) => {
      expect(await productTests(options([file]))).toEqual({ tests, leftOut: [] });
    },
  );

  it('leaves out nothing where the changes are unknown', async () => {
    const unknown = { ...options([]), changes: undefined };
    expect(await productTests(unknown)).toEqual({ tests, leftOut: [] });
  });
});

describe('npm test -- --changed', () => {
  it('runs what imports or reads a changed file, and names what it cannot tell', async () => {
    const related = { 'libs/keys/src/tuple.ts': [keys, stack] };
    const files = ['libs/keys/src/tuple.ts', 'README.md'];
    const { tests: selected, leftOut } = await changedTests(options(files, related));
    expect(selected).toEqual([keys, prose]);
    expect(leftOut).toEqual([expect.stringContaining('npm test -- system-tests')]);
  });

  it('runs a changed test that starts the services as processes', async () => {
    const { tests: selected } = await changedTests(options([stack], { [stack]: [stack] }));
    expect(selected).toContain(stack);
  });

  it('runs nothing where nothing has changed', async () => {
    expect((await changedTests(options([]))).tests).toEqual([]);
  });
});
