import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyPackages } from '../src/copy-packages.ts';
import { unbundledPackages } from '../src/unbundled-packages.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'engawa-packages-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function install(packages: Record<string, object>): void {
  for (const path of Object.keys(packages)) {
    const files = [
      'package.json',
      'LICENSE.md',
      'NOTICE',
      'index.js',
      'lib/package.json',
      'lib/a.js',
    ];
    for (const file of files) {
      const to = join(folder, 'from', path, file);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, '');
    }
  }
  writeFileSync(join(folder, 'from/package-lock.json'), JSON.stringify({ packages }));
}

it('copies unbundled packages with their dependencies, and notices of all others', () => {
  const unbundled = Object.fromEntries(
    unbundledPackages.map((name) => [
      `node_modules/${name}`,
      { dependencies: { dependency: '1' } },
    ]),
  );
  install({
    ...unbundled,
    'node_modules/dependency': {},
    'node_modules/bundled': { dependencies: { nested: '1' } },
    'node_modules/bundled/node_modules/nested': {},
  });
  copyPackages({ from: join(folder, 'from'), to: join(folder, 'to') });
  const filesOf = (path: string) =>
    globSync('**/*.*', { cwd: join(folder, 'to/node_modules', path) }).sort();
  expect(filesOf('dependency')).toEqual([
    'LICENSE.md',
    'index.js',
    'lib/a.js',
    'lib/package.json',
    'package.json',
  ]);
  expect(filesOf('swagger-ui-dist')).toEqual(filesOf('dependency'));
  expect(filesOf('bundled')).toEqual([
    'LICENSE.md',
    'node_modules/nested/LICENSE.md',
    'node_modules/nested/package.json',
    'package.json',
  ]);
});
