import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { checkReleasedChanges } from '../src/checks/check-released-changes.ts';
import { describeFinding } from '../src/finding.ts';
import { Repository } from '../src/repository.ts';
import { setVersion } from '../src/set-version.ts';
import { RepositoryCopy } from './repository-copy.ts';

let copy: RepositoryCopy;
let version: string;
beforeEach(() => {
  copy = new RepositoryCopy();
  ({ version } = copy.repository);
});
afterEach(() => copy.remove());

const foundIn = (repository: Repository) => checkReleasedChanges(repository).map(describeFinding);
const found = () => foundIn(copy.repository);

function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function commit(): void {
  git(copy.folder, 'add', '--all');
  git(copy.folder, 'commit', '--quiet', '--message', 'release');
}

/** Adds a change to the section of the newest release. */
function addToRelease(): void {
  copy.replace(
    'CHANGELOG.md',
    new RegExp(`(## \\[${version}\\][^]*?### Added\\n\\n)`),
    '$1- A thing that is not in the release.\n',
  );
}

describe('in a checkout without the tag of a version', () => {
  it('finds a change that is added to the released version', () => {
    expect(found()).toEqual([]);
    addToRelease();
    expect(found()).toEqual([
      expect.stringMatching(
        /^CHANGELOG\.md:\d+: the changes of \S+ differ from those of its release \(tools\/release\/released-changes\.json\); put new changes below "## \[Unreleased\]"; if \S+ is not published yet, npm run release:version -- \S+ records them$/,
      ),
    ]);
    // Before it is published, a release may still change.
    setVersion(copy.repository, version, '2030-01-02');
    expect(found()).toEqual([]);
  });

  it('finds a released version without a recorded fingerprint', () => {
    copy.replace('tools/release/released-changes.json', `"${version}"`, '"99.0.0"');
    expect(found()).toEqual([
      `tools/release/released-changes.json: it has no fingerprint of the changes of ${version}; npm run release:version -- ${version} records it`,
    ]);
  });

  it('accepts other line breaks, and unreleased changes', () => {
    copy.replace('CHANGELOG.md', / (\S+\n {2}\S)/, '\n  $1');
    copy.replace('CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- More.\n');
    expect(found()).toEqual([]);
  });
});

describe('in a repository with the tag of the version', () => {
  beforeEach(() => {
    git(copy.folder, 'init', '--quiet');
    commit();
    git(copy.folder, 'tag', `v${version}`);
  });

  it('finds a later change, also when its fingerprint was recorded again', () => {
    expect(found()).toEqual([]);
    addToRelease();
    setVersion(copy.repository, version, '2030-01-02');
    commit();
    expect(found()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^CHANGELOG.md:\\d+: the changes of ${version} differ from those of its release \\(the tag v${version}\\); put new changes below "## \\[Unreleased\\]", and restore the others$`,
        ),
      ),
    ]);
  });

  it('uses the recorded fingerprint in a shallow clone without tags', () => {
    addToRelease();
    commit();
    const clone = join(copy.folder, 'clone');
    const source = `file://${copy.folder}`;
    git(copy.folder, 'clone', '--quiet', '--depth', '1', '--no-tags', source, clone);
    const findings = foundIn(new Repository(clone));
    expect(findings).toEqual([expect.stringContaining('released-changes.json')]);
  });
});
