import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkExamples } from '../../src/mappings/check-examples.ts';
import { parseMapping } from '../../src/mappings/parse-mapping.ts';
import { shippedMappings } from '../../src/mappings/shipped-mappings.ts';

const folder = join(import.meta.dirname, '../../mappings');

const shipped = readdirSync(folder).map((file) => {
  const parsed = parseMapping(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  if ('problems' in parsed) throw new Error(`${file}: ${JSON.stringify(parsed.problems)}`);
  return { file, mapping: parsed.mapping };
});

it.each(shipped)('$file has its name, a source, and examples that are right', async (one) => {
  const { file, mapping } = one;
  expect(file).toBe(`${mapping.mapping}.json`);
  expect(mapping.source?.length).toBeGreaterThan(0);
  expect(mapping.examples.length).toBeGreaterThan(0);
  expect(await checkExamples(mapping)).toEqual([]);
});

it('all of them are shipped', () => {
  expect(shippedMappings).toEqual(shipped.map(({ mapping }) => mapping));
});
