import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { describeWith } from '@engawa/testing';
import { parseAllDocuments } from 'yaml';

const workspace = resolve(__dirname, '../../..');
const [, page = ''] = readFileSync(join(workspace, 'docs/deploy.md'), 'utf8').split('## On AWS');

/** Not `engawa`, the name that the page shows. */
const release = 'house';

/** Commands of the page that need AWS, a cluster, a broker or a minute. */
const outside = [
  'aws',
  'eksctl',
  'kubectl',
  'helm',
  'docker',
  'npm',
  'curl',
  'sleep',
  'mosquitto_sub',
];

const installed = join(workspace, 'node_modules/.bin/helm');
const helm = existsSync(installed) ? installed : 'helm';

/** All commands of the page in their order: blocks, and those within sentences. */
function commands(): string[] {
  const found = page.matchAll(/^```sh\n(.*?)^```$|`((?:kubectl|helm) [^`<]+)`/gms);
  return [...found].map(([, block, inline = '']) => block ?? inline);
}

/** Runs the commands, with programs that only note their arguments. @returns a line per call */
function callsOf(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-commands-'));
  try {
    const calls = join(folder, 'calls');
    for (const name of outside) {
      const file = join(folder, name);
      const line = `#!/bin/sh\necho "${name} $*" >> '${calls}'\necho 111122223333\n`;
      writeFileSync(file, line);
      chmodSync(file, 0o755);
    }
    writeFileSync(join(folder, 'password'), 'secret');
    const { status, stderr } = spawnSync('bash', ['-eu'], {
      input: `${script.replaceAll('/tmp/', `${folder}/`)}\nwait\n`,
      encoding: 'utf8',
      cwd: workspace,
      env: { PATH: folder + delimiter + String(process.env['PATH']), TOKEN: 'token' },
    });
    expect({ status, stderr: stderr.replaceAll(/cat: password.*\n/g, '') }).toEqual({
      status: 0,
      stderr: '',
    });
    return readFileSync(calls, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names of the objects that the chart makes from the values of the page, by kind. */
function namesOf(): (kind: string) => string[] {
  const [, values = ''] = /^```yaml\n(# values\.yaml\n.*?)^```$/ms.exec(page) ?? [];
  const more = ['--set', 'rollup.enabled=true,console.enabled=true,table.create=true'];
  const args = [
    'template',
    release,
    'charts/engawa',
    '--namespace',
    'home',
    '--values',
    '-',
    ...more,
  ];
  const { stdout, stderr } = spawnSync(helm, args, {
    input: values,
    encoding: 'utf8',
    cwd: workspace,
    maxBuffer: 64 * 1024 * 1024,
  });
  const objects = parseAllDocuments(stdout).map(
    (document) => document.toJS() as KubernetesObject | null,
  );
  if (objects.length === 0) throw new Error(stderr);
  return (kind) => objects.flatMap((object) => (object?.kind === kind ? object.metadata.name : []));
}

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
}

describeWith([helm], 'the commands of docs/deploy.md, with another release', () => {
  const script = commands().join('\n').replace('RELEASE=engawa', `RELEASE=${release}`);

  it('name objects that the chart makes', () => {
    const calls = callsOf(script);
    const names = namesOf();
    const found = (pattern: RegExp) => [...calls.matchAll(pattern)].map(([, name = '']) => name);
    const services = found(/ svc\/(\S+)/g);
    expect(services.length).toBeGreaterThan(1);
    expect(services.filter((name) => !names('Service').includes(name))).toEqual([]);
    const jobs = found(/ job\/(\S+)/g);
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.filter((name) => !names('Job').some((job) => job.startsWith(name)))).toEqual([]);

    const accounts = names('ServiceAccount').toSorted();
    for (const pattern of [/ --service-account-name (\S+)/g, /iamserviceaccount .*--name (\S+)/g]) {
      expect(found(pattern).toSorted()).toEqual(
        accounts.filter((name) => policies().includes(name)),
      );
    }
    const clients = found(/ -i home\.(\S+)-0 /g);
    expect(clients.length).toBeGreaterThan(0);
    expect(clients.filter((name) => !names('StatefulSet').includes(name))).toEqual([]);
  });

  /** Accounts with a role: the console has none. */
  function policies(): string[] {
    return ['ingestion', 'registry', 'query', 'catalog', 'rollup', 'table'].map(
      (name) => `${release}-engawa-${name}`,
    );
  }
});
