import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseChangelog } from '../src/changelog.ts';
import { checkRelease } from '../src/check-release.ts';
import { setVersion } from '../src/set-version.ts';
import { RepositoryCopy } from './repository-copy.ts';

let copy: RepositoryCopy;
beforeEach(() => void (copy = new RepositoryCopy()));
afterEach(() => copy.remove());

const changelog = () => parseChangelog(readFileSync(join(copy.folder, 'CHANGELOG.md'), 'utf8'));

it('writes a version to all files, except the upgrade notes', () => {
  copy.replace('CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- A fault.\n');
  const changed = setVersion(copy.repository, '9.9.9', '2030-01-02');
  expect(changed).toEqual(
    expect.arrayContaining([
      'package.json',
      'package-lock.json',
      'apps/query/package.json',
      'charts/engawa/Chart.yaml',
      'README.md',
      'docs/deploy.md',
      'CHANGELOG.md',
      'tools/release/released-changes.json',
    ]),
  );
  expect(checkRelease(copy.repository, 'v9.9.9')).toMatchObject([
    { where: 'docs/upgrading.md', problem: 'no section tells how to get to 9.9.9' },
  ]);
});

it('moves the unreleased changes to a release', () => {
  copy.replace('CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- A fault.\n');
  setVersion(copy.repository, '9.9.9', '2030-01-02');
  const [unreleased, newest] = changelog();
  expect(unreleased).toMatchObject({ name: 'Unreleased', changes: [] });
  expect(newest).toMatchObject({ name: '9.9.9', date: '2030-01-02' });
  expect(newest?.changes[0]).toMatchObject({ category: 'Fixed', text: 'A fault.' });
});

it('changes versions only, and nothing when repeated', () => {
  const before = readFileSync(join(copy.folder, 'charts/engawa/Chart.yaml'), 'utf8');
  const { version } = copy.repository;
  setVersion(copy.repository, '9.9.9', '2030-01-02');
  expect(setVersion(copy.repository, '9.9.9', '2030-01-03')).toEqual([]);
  const after = readFileSync(join(copy.folder, 'charts/engawa/Chart.yaml'), 'utf8');
  expect(after.replaceAll('9.9.9', version)).toBe(before);
});

it('does not change versions of dependencies', () => {
  const file = join(copy.folder, 'docs/deploy.md');
  const text = `${readFileSync(file, 'utf8')}\neclipse-mosquitto:2.0.22, since 0.1.0\n`;
  writeFileSync(file, text);
  setVersion(copy.repository, '9.9.9', '2030-01-02');
  expect(readFileSync(file, 'utf8')).toContain('\neclipse-mosquitto:2.0.22, since 0.1.0\n');
});
