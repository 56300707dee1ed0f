import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ensureTable } from '@engawa/table';
import { startDynamoDb } from '@engawa/embedded';
import { askEngine, describeOnEmbedded, describeWith } from '@engawa/testing';
import { parse } from 'yaml';
import { policyNames } from './permissions/policy.ts';

const workspace = resolve(__dirname, '../../..');
const pagePath = join(workspace, 'docs/deploy.md');
const page = readFileSync(pagePath, 'utf8');
const chart = join(workspace, 'charts/engawa');

const complete = '# values.yaml';
const onTop = '# on top of values.yaml';

function blocks(language: string): string[] {
  const fences = page.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...fences].flatMap(([, name, text = '']) => (name === language ? [text] : []));
}

/** The texts in backticks of a line. */
const spans = [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
  ([, text = '']) => text,
);

/** The binary installed by npm, or one on the PATH. */
function helmCommand(): string {
  const installed = join(workspace, 'node_modules/.bin/helm');
  return existsSync(installed) ? installed : 'helm';
}

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
}

function render(values: readonly string[], ...options: string[]): KubernetesObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-deploy-'));
  try {
    const files = values.flatMap((text, index) => {
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, text);
      return ['--values', file];
    });
    const args = ['template', 'engawa', chart, '--namespace', 'home', ...files, ...options];
    const { status, stdout, stderr } = spawnSync(helmCommand(), args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(stderr);
    return stdout
      .split(/^---$/m)
      .map((text) => parse(text) as KubernetesObject | null)
      .filter((object) => object !== null);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const yaml = blocks('yaml');
const [base = ''] = yaml.filter((text) => text.startsWith(complete));

describeWith([helmCommand()], 'docs/deploy.md and the chart', () => {
  it('has one complete values file, which renders', () => {
    expect(yaml.filter((text) => text.startsWith(complete))).toHaveLength(1);
    expect(render([base]).map(({ kind }) => kind)).toContain('StatefulSet');
  });

  const more = yaml.filter((text) => text.startsWith(onTop));
  it.each(more.map((text, index) => [index, text] as const))(
    'values block %i renders on top of it',
    (_, text) => {
      expect(render([base, text])).not.toEqual(render([base]));
    },
  );

  it('names a policy for each service account', () => {
    const accounts = render([base], '--set', 'rollup.enabled=true')
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => metadata.name);
    expect(accounts.toSorted()).toEqual(policyNames().map((name) => `engawa-${name}`));
    for (const account of accounts) expect(page).toContain(`| \`${account}\``);
  });
});

describe('docs/deploy.md', () => {
  it('labels each block of YAML', () => {
    for (const text of yaml) expect(parse(text)).toBeInstanceOf(Object);
  });

  it.each(blocks('sh').map((text, index) => [index, text] as const))(
    'has commands with valid shell syntax (%i)',
    (_, text) => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );

  it('names existing values', () => {
    const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Tree;
    const paths = spans
      .map((text) => text.replace(/: .*$/, ''))
      .filter((text) => /^[a-z][A-Za-z]*(\.[A-Za-z]+)+$/.test(text) && !text.endsWith('.json'))
      .filter((text) => (text.split('.')[0] ?? '') in values);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !hasValue(values, path.split('.')))).toEqual([]);
  });

  it('names existing environment variables', () => {
    const reference = readFileSync(join(workspace, 'docs/reference/configuration.md'), 'utf8');
    const variables = spans.filter((text) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(text));
    expect(variables.length).toBeGreaterThan(4);
    const ofAws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    const ofNode = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
    const settings = variables.filter((name) => ![...ofAws, ...ofNode].includes(name));
    expect(settings.filter((name) => !reference.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('links to existing files and headings', () => {
    const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => !link.startsWith('https://') && !leadsSomewhere(link));
    expect(links.length).toBeGreaterThan(10);
    expect(broken).toEqual([]);
  });
});

describeOnEmbedded(
  'the table has the name that the page gives it',
  'the page about deploying',
  () => {
    it('creates the same table by hand as the table command', async () => {
      const engine = await startDynamoDb();
      try {
        const [input = '{}'] = blocks('json');
        const byHand = JSON.parse(input) as Record<string, unknown>;
        await askEngine(engine.endpoint, 'CreateTable', byHand);
        await ensureTable({ tableName: 'made', endpoint: engine.endpoint, timeoutMs: 60_000 });
        const [mine, ours] = await Promise.all(
          [byHand['TableName'], 'made'].map((TableName) =>
            askEngine(engine.endpoint, 'DescribeTable', { TableName }),
          ),
        );
        expect(essence(mine)).toEqual(essence(ours));
      } finally {
        await engine.close();
      }
    });
  },
);

interface Tree {
  [name: string]: Tree | string | number | boolean | null;
}

/** Services have the values of `defaults`, too. */
function hasValue(values: Tree, path: readonly string[]): boolean {
  const [first = '', ...rest] = path;
  const isService = ['ingestion', 'registry', 'query', 'catalog'].includes(first);
  return isIn(values, path) || (isService && isIn(values, ['defaults', ...rest]));
}

function isIn(tree: Tree, [first = '', ...rest]: readonly string[]): boolean {
  const value = tree[first];
  if (value === undefined) return false;
  return rest.length === 0 || (typeof value === 'object' && value !== null && isIn(value, rest));
}

function leadsSomewhere(link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? pagePath : join(dirname(pagePath), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** Anchors of headings as GitHub generates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Without properties that may differ between two tables: names, times and sizes. */
function essence(described: Record<string, unknown> | undefined): object {
  const table = described?.['Table'] as Record<string, unknown>;
  const indexes = table['GlobalSecondaryIndexes'] as Record<string, unknown>[];
  return {
    keys: table['KeySchema'],
    attributes: table['AttributeDefinitions'],
    billing: (table['BillingModeSummary'] as Record<string, unknown>)['BillingMode'],
    indexes: indexes.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    })),
  };
}
