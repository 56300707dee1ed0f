import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { availableBase, localBase, readDockerfile } from './base-image.ts';
import { buildArguments, help, parseOptions } from './options.ts';
import { readManifest } from './workspace-projects.ts';

const workspace = resolve(import.meta.dirname, '../../..');

function run(): void {
  const { version } = readManifest(workspace, '.');
  const options = parseOptions(process.argv.slice(2), version);
  if (options.help) {
    console.log(help);
    return;
  }
  console.log(`building ${options.tag}: a minute or two at first, then seconds …`);
  const began = performance.now();
  const base = options.base ?? availableBase(workspace);
  if (base === localBase)
    console.log(`building on the local ${base}: the pinned base image is not available`);
  const { status, error } = spawnSync('docker', buildArguments(options, version), {
    cwd: workspace,
    input: readDockerfile(workspace, base),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (error !== undefined) {
    throw new OperatorError(`there is no Docker client on this machine (${error.message})`);
  }
  if (status !== 0) throw new OperatorError('docker build did not work; what it says is above');
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n${options.tag} was built in ${seconds} s (${sizeOf(options.tag)})`);
  console.log(`run it: docker run ${options.tag} query, or another of its services and commands`);
}

function sizeOf(image: string): string {
  const format = ['image', 'inspect', '--format', '{{.Size}}', image];
  const { stdout } = spawnSync('docker', format, { encoding: 'utf8' });
  return `${Math.round(Number(stdout) / 1e6)} MB, its base included`;
}

try {
  run();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`engawa: ${error.message}`);
  process.exitCode = 1;
}
