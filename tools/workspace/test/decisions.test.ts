import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../docs/adr');

it('the index of decisions has a line for each, in order, and no others', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const linked = [...index.matchAll(/^\| \[\d{4}\]\(([\w.-]+)\) \|/gm)].map(([, file]) => file);
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(linked).toEqual(files.sort());
  // A merge of two branches that add a line each leaves its marks here.
  expect(index).not.toMatch(/^(<<<<<<<|=======|>>>>>>>)/m);
});
