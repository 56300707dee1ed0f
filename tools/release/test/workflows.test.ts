import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from './repository-copy.ts';
import { workflow } from './workflow.ts';
import type { Job, Step } from './workflow.ts';

const files = globSync('.github/workflows/*.yml', { cwd: workspace });
const read = (file: string): string => readFileSync(join(workspace, file), 'utf8');

/** Errors of GitHub's parser. */
function errorsOf(file: string): string[] {
  const main = join(__dirname, '../src/parse-workflows.ts');
  const printed = execFileSync(process.execPath, [main, file], { encoding: 'utf8' });
  return Object.values(JSON.parse(printed) as Record<string, string[]>).flat();
}

const jobsOf = (file: string): [string, Job][] => Object.entries(workflow(file).jobs);
const stepsOf = (file: string): Step[] => jobsOf(file).flatMap(([, { steps = [] }]) => steps);

it('workflows for tests and for releases exist', () => {
  expect(files.map((file) => basename(file)).sort()).toEqual(['release.yml', 'test.yml']);
});

it('reports an invalid workflow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-workflow-'));
  const file = join(folder, 'broken.yml');
  writeFileSync(file, read(files[0] ?? '').replace('runs-on:', 'runs-at:'));
  expect(errorsOf(file).join()).toContain("Unexpected value 'runs-at'");
  rmSync(folder, { recursive: true });
});

describe.each(files)('%s', (file) => {
  it('is a valid GitHub workflow', () => {
    expect(errorsOf(join(workspace, file))).toEqual([]);
  });

  it('pins each action by its commit, with its version in a comment', () => {
    const used = [...read(file).matchAll(/^\s*-? *uses: (.*)$/gm)].map(([, what = '']) => what);
    expect(used.length).toBeGreaterThan(2);
    for (const what of used.filter((text) => !text.startsWith('./'))) {
      expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('grants no permission by default, and each job the ones it needs', () => {
    expect(workflow(file).permissions).toEqual({});
    for (const [, { permissions, uses, ...job }] of jobsOf(file)) {
      expect(permissions).toBeDefined();
      // A called workflow has its own permissions.
      if (uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  it('waits for existing jobs only', () => {
    const names = jobsOf(file).map(([name]) => name);
    for (const [, { needs = [] }] of jobsOf(file)) {
      expect(names).toEqual(expect.arrayContaining([needs].flat()));
    }
  });

  it('keeps no token in the checkout, and uses no secret', () => {
    const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const { with: options } of checkouts) {
      expect(options).toMatchObject({ 'persist-credentials': false });
    }
    expect(read(file)).not.toContain('secrets.');
    expect(workflow(file).on).not.toHaveProperty('pull_request_target');
  });

  it('interpolates no untrusted input into scripts', () => {
    const scripts = stepsOf(file).flatMap(({ run = '' }) => run);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('runs existing commands only', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(file).matchAll(/npm (?:run )?(?<name>[a-z:]+)/g)];
    for (const { groups } of named) expect(Object.keys(scripts)).toContain(groups?.['name']);
  });
});

it('npm start and npm test run on each supported platform', () => {
  const file = '.github/workflows/test.yml';
  for (const runner of ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15']) {
    expect(read(file)).toContain(`"${runner}"`);
  }
  const scripts = workflow(file).jobs['test']?.steps?.map(({ run }) => run);
  expect(scripts).toEqual(expect.arrayContaining(['bash .ci/smoke', 'npm test']));
});

it('only one job of a release may write to the repository, and only one has an identity', () => {
  const may = (permission: string): string[] =>
    jobsOf('.github/workflows/release.yml')
      .filter(([, { permissions }]) => permissions?.[permission] === 'write')
      .map(([name]) => name);
  expect(may('contents')).toEqual(['publish']);
  expect(may('id-token')).toEqual(['sign']);
  expect(may('attestations')).toEqual(['sign']);
  expect(may('packages')).toEqual(['image', 'sign']);
});

it('a release is checked and tested before it is published', () => {
  const { jobs } = workflow('.github/workflows/release.yml');
  const before = (name: string): Set<string> => {
    const direct = [jobs[name]?.needs ?? []].flat();
    return new Set(direct.flatMap((other) => [other, ...before(other)]));
  };
  for (const name of ['image', 'artifacts', 'sign', 'publish']) {
    expect([...before(name)]).toEqual(expect.arrayContaining(['check', 'test']));
  }
});

it.each(globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd: workspace }))(
  '%s is a form whose questions have unique ids',
  (file) => {
    const form = parse(read(file)) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
    };
    expect(form.name).not.toBe('');
    expect(form.description).not.toBe('');
    const questions = form.body.filter(({ type }) => type !== 'markdown');
    for (const { type, id, attributes } of questions) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect(attributes.label).toBeDefined();
      expect(id).toMatch(/^[a-z]+$/);
    }
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  },
);

it('Dependabot watches existing folders only', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string }[];
  };
  const where: Record<string, string> = {
    npm: 'package.json',
    docker: 'Dockerfile',
    'github-actions': '.github/workflows',
  };
  expect(updates.map((update) => update['package-ecosystem']).sort()).toEqual(
    Object.keys(where).sort(),
  );
  for (const { 'package-ecosystem': kind, directory } of updates) {
    expect(existsSync(join(workspace, directory, where[kind] ?? ''))).toBe(true);
  }
});
