import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** In a Node of its own: the heap of Jest has other contents. Writes the bytes of the heap before and after. */
const script = `
  const { releaseStartMemory } = await import(${JSON.stringify(join(__dirname, 'release-start-memory.ts'))});
  let survivors = Array.from({ length: 400_000 }, (_, index) => ({ index }));
  survivors = undefined;
  const before = process.memoryUsage().heapTotal;
  releaseStartMemory();
  const after = process.memoryUsage().heapTotal;
  process.stdout.write([before, after, typeof globalThis.gc].join(' '));`;

it('shrinks the heap, and defines no global function', () => {
  const line = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  const [before, after, gc] = line.trim().split(' ');
  expect(Number(after)).toBeLessThan(Number(before) / 2);
  expect(gc).toBe('undefined');
});
