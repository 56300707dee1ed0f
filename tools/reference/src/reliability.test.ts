import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const workspace = resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(resolve(workspace, file), 'utf8');

/** The names of faults, as patterns with wildcards for parts filled in at run time. */
function playedFaults(): RegExp[] {
  const files = globSync('tools/system-tests/test/faults/*.test.ts', { cwd: workspace });
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/\bfault\(\s*(['`])(.+?)\1/g)].map(([, , name = '']) => name),
  );
  return names.map((name) => {
    const parts = name
      .split(/\$\{.*?\}/)
      .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}

function namedFaults(): string[] {
  return [...read('docs/reliability.md').matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
}

describe('docs/reliability.md', () => {
  it('names no test that is not played', () => {
    const played = playedFaults();
    expect(namedFaults().filter((name) => !played.some((fault) => fault.test(name)))).toEqual([]);
  });

  it('names every test that is played', () => {
    const named = namedFaults();
    const missing = playedFaults().filter((fault) => !named.some((name) => fault.test(name)));
    expect(missing).toEqual([]);
  });

  it('names existing files', () => {
    const files = [
      ...read('docs/reliability.md').matchAll(/(?:apps|libs|tools)\/[\w./-]+\.test\.ts/g),
    ];
    expect(files.map(([file]) => read(file).length > 0)).not.toContain(false);
    expect(files.length).toBeGreaterThan(3);
  });
});
