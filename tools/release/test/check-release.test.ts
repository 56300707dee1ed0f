import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkRelease } from '../src/check-release.ts';
import { describeFinding } from '../src/finding.ts';
import { Repository } from '../src/repository.ts';
import { RepositoryCopy, workspace } from './repository-copy.ts';

const { version } = new Repository(workspace);

let copy: RepositoryCopy;
beforeEach(() => void (copy = new RepositoryCopy()));
afterEach(() => copy.remove());

const found = (tag?: string): string[] => checkRelease(copy.repository, tag).map(describeFinding);

it('finds no problem in this repository', () => {
  expect(checkRelease(new Repository(workspace)).map(describeFinding)).toEqual([]);
});

/** A file, the defect in it, and the resulting finding. */
const faults: [string, string | RegExp, string, string | RegExp][] = [
  [
    'apps/query/package.json',
    `"version": "${version}"`,
    '"version": "9.9.9"',
    `apps/query/package.json: the version is 9.9.9, that of package.json is ${version}; npm run release:version -- VERSION writes it everywhere`,
  ],
  [
    'package-lock.json',
    `"name": "@engawa/query",\n      "version": "${version}"`,
    '"name": "@engawa/query",\n      "version": "9.9.9"',
    `package-lock.json (apps/query): the version is 9.9.9, that of package.json is ${version}; npm run release:version -- VERSION writes it everywhere`,
  ],
  [
    'charts/engawa/Chart.yaml',
    `\nversion: ${version}`,
    '\nversion: 9.9.9',
    `charts/engawa/Chart.yaml: version is 9.9.9, the version is ${version}; npm run release:version -- VERSION writes it everywhere`,
  ],
  [
    'charts/engawa/Chart.yaml',
    `appVersion: ${version}`,
    'appVersion: 9.9.9',
    `charts/engawa/Chart.yaml: appVersion is 9.9.9, the version is ${version}; npm run release:version -- VERSION writes it everywhere`,
  ],
  [
    'charts/engawa/Chart.yaml',
    'maintainers:',
    'others:',
    'charts/engawa/Chart.yaml: maintainers, with a name each is missing; give the chart maintainers, with a name each',
  ],
  [
    'charts/engawa/Chart.yaml',
    'artifacthub.io/license: Apache-2.0',
    'artifacthub.io/license: MIT',
    'charts/engawa/Chart.yaml: artifacthub.io/license is MIT, that of package.json is Apache-2.0; write the license of package.json',
  ],
  [
    'charts/engawa/Chart.yaml',
    'type: application',
    'type: application\nhome: https://elsewhere.example.com',
    'charts/engawa/Chart.yaml: home is written by hand; remove it: .github/workflows/release.yml writes it into the package',
  ],
  [
    'docs/deploy.md',
    'Kubernetes (1.25 or newer)',
    'Kubernetes (1.31 or newer)',
    /^charts\/engawa\/Chart.yaml: kubeVersion is '>=1.25.0-0', docs\/deploy.md says Kubernetes \(1.31 or newer\); /,
  ],
  [
    'charts/engawa/values.yaml',
    /(\n {2}tag: )''/,
    "$1'0.0.1'",
    `charts/engawa/values.yaml: image.tag is "0.0.1"; make it '': the image's tag is the appVersion of the chart`,
  ],
  [
    'Dockerfile',
    /@sha256:[0-9a-f]+/,
    '',
    /^Dockerfile: the base node:24\S+ is not pinned; write it as node:VERSION-…@sha256:DIGEST$/,
  ],
  [
    'Dockerfile',
    /^FROM node:[0-9.]+-/m,
    'FROM node:24.0.1-',
    /^Dockerfile: the base has Node 24.0.1, the tests run on 24\.\d+\.\d+ \(package-lock.json\); /,
  ],
  [
    'Dockerfile',
    'image.version="${VERSION}"',
    'image.version="1.0.0"',
    /^Dockerfile: the image has no label org.opencontainers.image.version/,
  ],
  [
    'README.md',
    `engawa:${version}`,
    'engawa:9.9.9',
    /^README.md:\d+: it names engawa:9.9.9, the version is \S+; npm run release:version/,
  ],
  [
    'docs/deploy.md',
    `tag: ${version}`,
    'tag: 9.9.9',
    /^docs\/deploy.md:\d+: it names engawa, tag: 9.9.9, the version is/,
  ],
  [
    'docs/upgrading.md',
    `to ${version}\n`,
    'to 9.9.9\n',
    /^docs\/upgrading.md: no section tells how to get to \S+; add "## From … to/,
  ],
  [
    'CHANGELOG.md',
    '## [Unreleased]\n',
    '',
    'CHANGELOG.md: the first section is not "## [Unreleased]"; add it above the newest release',
  ],
  [
    'CHANGELOG.md',
    `## [${version}] - `,
    '## [9.9.9] - ',
    /^CHANGELOG.md:\d+: the newest release is 9.9.9, the version is \S+; add "## \[/,
  ],
  [
    'CHANGELOG.md',
    new RegExp(`## \\[${version}\\] - \\S+`),
    `## [${version}] - 2026-02-30`,
    /^CHANGELOG.md:\d+: \S+ has the date '2026-02-30'; write "## \[\S+\] - YYYY-MM-DD"$/,
  ],
  [
    'CHANGELOG.md',
    '### Added',
    '### News',
    /^CHANGELOG.md:\d+: there is no category 'News'; put it below "### " and one of Added, Changed/,
  ],
  [
    'CHANGELOG.md',
    '## [0.1.0] - ',
    '## [99.0.0] - ',
    /^CHANGELOG.md:\d+: \S+ stands above 99.0.0, which is not older; order the releases/,
  ],
];

it.each(faults)('finds a problem in %s when %j is changed to %j', (file, from, to, sentence) => {
  copy.replace(file, from, to);
  const sentences = found();
  expect(sentences).toContainEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  );
});

describe('before a tag is published', () => {
  // This repository may have unreleased changes.
  beforeEach(() => copy.withoutUnreleasedChanges());

  it('accepts the tag of the version', () => {
    expect(found(`v${version}`)).toEqual([]);
  });

  it.each(['v9.9.9', version])('rejects the tag %s', (tag) => {
    expect(found(tag)).toEqual([
      `the tag ${tag}: it is not v${version}, and the version is ${version}; delete the tag, and tag the commit that has the version that you mean`,
    ]);
  });

  it('reports changes that no version lists', () => {
    copy.replace(
      'CHANGELOG.md',
      '## [Unreleased]\n',
      '## [Unreleased]\n\n### Fixed\n\n- A fault.\n',
    );
    expect(found()).toEqual([]);
    expect(found(`v${version}`)).toEqual([
      expect.stringMatching(/^CHANGELOG.md:\d+: there are changes below Unreleased/),
    ]);
  });
});

describe('npm run check:release', () => {
  const main = join(__dirname, '../src/check-main.ts');
  const run = promisify(execFile);

  it('reports that all versions agree, and exits with 0', async () => {
    const { stdout } = await run(process.execPath, [main, '--folder', copy.folder]);
    expect(stdout).toBe(
      `version, chart, image, contracts, documents and changelog agree on ${version}\n`,
    );
  });

  it('reports differences, and exits with 1', async () => {
    copy.replace('charts/engawa/Chart.yaml', `appVersion: ${version}`, 'appVersion: 9.9.9');
    const failed = await run(process.execPath, [main, '--folder', copy.folder]).catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).toMatch(
      /^charts\/engawa\/Chart.yaml: appVersion is 9.9.9.*\n.*findings: 1/,
    );
  });
});
