import { globSync } from 'node:fs';
import { resolve } from 'node:path';

const files = globSync('{apps,libs,tools}/*/**/*.long.test.ts', {
  cwd: resolve(__dirname, '../../..'),
  exclude: (name) => name === 'node_modules',
});

it('long tests exist, and all are in test/', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.split('/')[2] !== 'test')).toEqual([]);
});
