// Helm with access to a cluster: a small HTTP server that responds like an API server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { stringify } from 'yaml';
import type { ISecret } from 'kubernetes-models/v1/Secret';
import { chartFolder } from '../src/chart-folder.ts';
import { helmCommand, parseObjects } from '../src/helm.ts';
import type { KubernetesObject } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { FakeCluster } from './fake-cluster.ts';
import { Rendered } from './rendered.ts';
import { least } from './values.ts';

/** Values without a Secret for cursors, which the chart creates then. */
const own = { ...least, cursors: {} };
const demo = { demo: { enabled: true } };

async function helm(cluster: FakeCluster, args: string[], values: object): Promise<string> {
  const options = ['--namespace', 'home', '--values', '-', '--disable-openapi-validation'];
  const child = spawn(helmCommand(), [...args, 'engawa', chartFolder, ...options], {
    env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    timeout: 60_000,
  });
  child.stdin.end(stringify(values, { version: '1.1' }));
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'exit')) as [number | null];
  const [stdout, stderr] = await output;
  if (status !== 0) throw new Error(stderr + stdout);
  return stdout;
}

async function inCluster<Result>(
  objects: readonly KubernetesObject[],
  use: (cluster: FakeCluster) => Promise<Result>,
): Promise<Result> {
  const cluster = await FakeCluster.start(objects);
  try {
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}

/** The keys of the chart's own Secrets that a cluster has. */
const keysIn = ({ objects }: FakeCluster) =>
  objects
    .filter(({ kind, metadata }) => kind === 'Secret' && metadata.name === 'engawa-cursors')
    .map((secret) => (secret as ISecret).data?.['CURSOR_SECRET'] ?? '')
    .map((key) => Buffer.from(key, 'base64').toString());

/**
 * Helm 4 sends bodies other than JSON, which the small server does not read; test:cluster covers
 * Helm 4 with a real cluster.
 */
const version = spawnSync(helmCommand(), ['version', '--short'], { encoding: 'utf8' });
const isHelm3 = (version.stdout as string | null)?.startsWith('v3') === true;
const describeWithHelm3 = isHelm3
  ? describeWithHelm
  : (name: string, tests: () => void) =>
      describe.skip(`${name} (left out: Helm is not version 3)`, tests);

describeWithHelm3('with a cluster that Helm can ask', () => {
  const install = ['install', '--no-hooks'];

  it('creates a cursor secret when none exists, a different one for each release', async () => {
    const installed = () =>
      inCluster([], async (cluster) => {
        await helm(cluster, install, own);
        return keysIn(cluster);
      });
    const keys = [...(await installed()), ...(await installed())];
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{48}$/);
    expect(new Set(keys).size).toBe(2);
  });

  it('keeps an existing secret', async () => {
    const key = 'k'.repeat(40);
    const release = {
      'meta.helm.sh/release-name': 'engawa',
      'meta.helm.sh/release-namespace': 'home',
    };
    const there = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'engawa-cursors',
        namespace: 'home',
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: release,
      },
      data: { CURSOR_SECRET: Buffer.from(key).toString('base64') },
    };
    await inCluster([there], async (cluster) => {
      const manifest = await helm(cluster, [...install, '--output', 'json'], own);
      const { manifest: rendered } = JSON.parse(manifest) as { manifest: string };
      const secret = new Rendered(parseObjects(rendered)).named<ISecret & { kind: 'Secret' }>(
        'Secret',
        'engawa-cursors',
      );
      expect(secret?.data).toEqual(there.data);
    });
  });

  it.each([
    ['a demo', demo, true],
    ['a demo without simulator', { demo: { enabled: true, simulator: { enabled: false } } }, false],
    ['production', own, false],
  ])(
    'notes name a device of the demo only when the demo is enabled: %s',
    async (_, values, isNamed) => {
      const said = await inCluster([], (cluster) =>
        helm(cluster, ['install', '--dry-run'], values),
      );
      const notes = said.slice(said.indexOf('NOTES:'));
      expect(notes).toContain('/v1/devices/');
      expect(notes.includes('climate-tanaka-living')).toBe(isNamed);
    },
  );
});

describeWithHelm('without a cluster', () => {
  it('a demo has a cursor secret, too', () => {
    const secret = Rendered.of({ values: demo }).named<ISecret & { kind: 'Secret' }>(
      'Secret',
      'engawa-cursors',
    );
    expect(secret?.data).toHaveProperty('CURSOR_SECRET');
  });
});
