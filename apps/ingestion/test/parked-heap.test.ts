import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parkedWeight } from '../src/storing/reading-weight.ts';

it('a parked parcel takes at most the estimated heap, and more than half of it as a group of its own', async () => {
  const child = join(__dirname, 'parked-heap-child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child]);
  const { parked, adopted } = JSON.parse(stdout) as { parked: number; adopted: number };
  const said = parkedWeight([{ time: 0, fields: { temperature: 21.5 } }]);
  expect(parked).toBeGreaterThan(0);
  expect(parked).toBeLessThan(adopted);
  expect(adopted).toBeLessThanOrEqual(said);
  expect(adopted).toBeGreaterThan(said / 2);
});
