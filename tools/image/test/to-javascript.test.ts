import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** In a Node of its own: Jest has other modules in place of some of Node's. */
function toJavaScript(source: string): string {
  const file = join(__dirname, '../src/to-javascript.ts');
  const script = `import { toJavaScript } from ${JSON.stringify(file)};
    try { process.stdout.write(toJavaScript(${JSON.stringify(source)})); }
    catch (error) { process.stdout.write('Error: ' + error.message); }`;
  const line = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  return execFileSync(process.execPath, line, { encoding: 'utf8' });
}

it('takes the types away and leaves everything in its place', () => {
  expect(toJavaScript('const one: number = 1;\nexport { one };\n')).toBe(
    'const one         = 1;\nexport { one };\n',
  );
});

it.each([
  ["import { a } from './a.ts';", "import { a } from './a.js';"],
  ["import './a.ts';", "import './a.js';"],
  ['export { a } from "../b/a.ts";', 'export { a } from "../b/a.js";'],
  ["const a = await import('./a.test-data.ts');", "const a = await import('./a.test-data.js');"],
  ["import { a } from 'package/a.ts';", "import { a } from 'package/a.ts';"],
  [
    "import data from './a.json' with { type: 'json' };",
    "import data from './a.json' with { type: 'json' };",
  ],
  ["import type { A } from './a.ts';", ''],
])('rewrites the import in %s to an existing file', (source, built) => {
  expect(toJavaScript(source)).toBe(built);
});

it('rejects an import in an unsupported form', () => {
  expect(toJavaScript("new URL('./worker.ts', import.meta.url);")).toBe(
    'Error: it names ./worker.ts other than in an import, and there will be no such file',
  );
});
