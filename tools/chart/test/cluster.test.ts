import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, freePort, startMosquitto, startTable, until } from '@engawa/testing';
import { linesOf, makeReadings, topic, untilExactly } from '../src/cluster/readings.ts';
import { parseOptions, UsageError } from '../src/cluster/options.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { least } from './values.ts';
import { Rendered } from './rendered.ts';
import { Stack } from './stack.ts';

const environment = { KUBECONFIG: '/somewhere' };
const main = join(__dirname, '../src/cluster/main.ts');

function runMain(args: string[], kubeconfig: string) {
  return spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    encoding: 'utf8',
  });
}

describe('the options of test:cluster', () => {
  it.each([
    ['engawa:0.1.0', 'engawa', '0.1.0'],
    ['registry.example:5000/home/engawa:main-1', 'registry.example:5000/home/engawa', 'main-1'],
  ])('parse %s', (image, repository, tag) => {
    expect(parseOptions(['--image', image], environment)).toEqual({
      image: { repository, tag },
      namespace: expect.stringMatching(/^engawa-test-[0-9a-f]{6}$/) as string,
      helm: undefined,
      valuesFile: undefined,
      keep: false,
    });
  });

  it('accept a namespace, values, a Helm binary and --keep', () => {
    const files = ['--values', __filename, '--helm', process.execPath];
    const args = ['--namespace', 'mine', ...files, '--keep'];
    expect(parseOptions(args, environment)).toEqual({
      image: undefined,
      namespace: 'mine',
      helm: process.execPath,
      valuesFile: __filename,
      keep: true,
    });
  });

  it.each([
    [['--image', ''], '--image must be'],
    [['--image', 'registry.example:5000/engawa'], '--image must be'],
    [['--image', 'a:b', '--namespace', 'A_B'], "--namespace: 'A_B'"],
    [['--image', 'a:b', '--values', '/there/is/none'], '--values: there is no file'],
    [['--image', 'a:b', '--helm', '/there/is/none'], '--helm: there is no file'],
    [['--imag', 'a:b'], "Unknown option '--imag'"],
  ])('reject %j', (args, says) => {
    expect(() => parseOptions(args, environment)).toThrow(UsageError);
    expect(() => parseOptions(args, environment)).toThrow(says);
  });
});

describe('test:cluster', () => {
  it('prints its requirements when no cluster is configured', () => {
    const { status, stderr } = runMain([], '');
    expect(stderr).toContain('KUBECONFIG is not set');
    expect(status).toBe(2);
  });

  it('prints its options', () => {
    const { status, stdout } = runMain(['--help'], '');
    expect(stdout).toContain('--image REPOSITORY:TAG');
    expect(status).toBe(0);
  });
});

describeWith(['kubectl'], 'test:cluster, where there is kubectl', () => {
  it("fails with kubectl's error when no cluster responds", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-cluster-'));
    const file = join(folder, 'config');
    const server = `http://127.0.0.1:${await freePort()}`;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'none', cluster: { server } }],
      contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
      users: [{ name: 'none', user: {} }],
      'current-context': 'none',
    };
    writeFileSync(file, JSON.stringify(config));
    const { status, stderr } = runMain(['--image', 'a:b'], file);
    rmSync(folder, { recursive: true });
    expect(stderr).toContain('connection refused');
    expect(status).toBe(1);
  });
});

describeWithHelm(
  'the readings of test:cluster',
  () => {
    it('are published and read as on a cluster; missing readings are reported', async () => {
      const [engine, broker] = await Promise.all([
        startTable(() => Promise.resolve()),
        startMosquitto(),
      ]);
      const aws = { endpoint: engine.location.endpoint, existingSecret: 'aws' };
      const stack = new Stack(Rendered.of({ values: { ...least, aws } }), broker.url);
      try {
        await stack.start('table');
        const ingestion = (await stack.start('ingestion')).url('METRICS_PORT');
        // Before the first subscription the broker keeps no messages, as before the end of an
        // install.
        await until('ingestion is ready', async () => (await fetch(`${ingestion}/readyz`)).ok);
        const query = (await stack.start('query')).url('PORT');
        const start = new Date('2026-01-01T00:00:00Z');
        const [first, second] = [makeReadings(0, 60, start), makeReadings(60, 40, start)];
        publish(broker.port, linesOf(first));
        publish(broker.port, linesOf(second));
        await untilExactly(query, [...first, ...second]);
        await expect(untilExactly(query, makeReadings(0, 101, start), 0)).rejects.toThrow(
          'of 101 readings 1 are lacking (100 of 2026-01-01T00:01:40.000Z), 0 are too many',
        );
        await expect(untilExactly(query, first, 0)).rejects.toThrow(
          'of 60 readings 0 are lacking (), 40 are too many',
        );
      } finally {
        await stack.close();
        await broker.close();
        await engine.close();
      }
    });
  },
  ['mosquitto', 'mosquitto_pub'],
);

/** Commands that the test runs in the broker's pod. */
function publish(port: number, lines: string): void {
  const args = ['-p', String(port), '-q', '1', '-t', topic, '-l'];
  const { status, stderr } = spawnSync('mosquitto_pub', args, { input: lines, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
