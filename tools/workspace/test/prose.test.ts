import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProse } from '../src/prose/check-prose.ts';
import { proseFiles } from '../src/prose/prose-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('texts of the repository use standard terms in lines of at most 120 columns', () => {
  const files = proseFiles(ROOT);
  const findings = files.flatMap((path) =>
    checkProse(path, readFileSync(join(ROOT, path), 'utf8')).map(
      ({ line, message }) => `${path}:${line} ${message}`,
    ),
  );
  expect(findings).toEqual([]);
  for (const path of [
    'README.md',
    'docs/adr/README.md',
    'charts/engawa/values.yaml',
    'apps/query/src/start.ts',
    'apps/console/web/app.tsx',
  ])
    expect(files).toContain(path);
});

test.each([
  ['a.md', 'Readings are stored anew.'],
  ['a.md', 'A key gets\nrelief.'],
  ['a.ts', '// keys of those\n// that stay\nexport const key = 1;'],
  ['a.ts', "log.warn('what is hot could not be looked at');"],
  ['a.ts', 'log.warn(`${name} waits in vain`);'],
  ['a.tsx', 'const title = (\n  // in vain\n  <h1>Heat</h1>\n);'],
  ['a.yaml', 'key: 1 # for whoever asks'],
  ['a.tpl', '{{- /* nothing */ -}}\n# a lane of its own'],
])('an avoided phrase in %s is found: %j', (path, content) => {
  expect(checkProse(path, content)).toHaveLength(1);
});

test.each([
  ['a.md', 'A dead letter and a dead\nletter-box stay.'],
  ['a.md', '`anew` is code.\n\n```\nanew\n```\n'],
  ['a.ts', "const lane = key['relief'];"],
  ['a.yaml', 'lane: 1'],
])('code and standard terms in %s are accepted: %j', (path, content) => {
  expect(checkProse(path, content)).toEqual([]);
});

test('a line of prose over 120 columns is found, and a table or a link of that length is accepted', () => {
  const long = 'word '.repeat(25);
  expect(checkProse('a.md', `${long}\n| ${long} |\n[a](${long})`)).toEqual([
    { line: 1, message: '125 columns: at most 120' },
  ]);
  expect(checkProse('a.ts', `// ${long}\nconst a = '${long}';`)).toEqual([
    { line: 1, message: '128 columns: at most 120' },
  ]);
});
