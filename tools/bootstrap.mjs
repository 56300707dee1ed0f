// The first thing that `npm start` and `npm test` run: with nothing installed, on any Node from 20 on. It installs what
// the lock file names, and goes on with the Node that is pinned there.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = resolve(fileURLToPath(import.meta.url), '../..');
const modules = join(workspace, 'node_modules');
const pinnedNode = join(modules, 'node/bin/node');
/** Written last, with the hash of the lock file, so that an interrupted installation is done again. */
const stamp = join(modules, '.engawa-installed');

const commands = {
  local: 'tools/local/src/main.ts',
  test: 'tools/workspace/src/run-tests.ts',
  'test:long': 'tools/workspace/src/run-tests.ts --long',
  'test:all': 'tools/workspace/src/run-tests.ts --all',
  'test:times': 'tools/workspace/src/print-test-times.ts',
  faults: 'tools/workspace/src/run-faults.ts',
  reference: 'tools/reference/src/main.ts',
  bench: 'tools/bench/src/main.ts',
  'check:broker': 'tools/broker-check/src/main.ts',
  'fuzz:catalog': 'tools/catalog-fuzzer/src/main.ts',
  simulate: 'tools/simulation/src/main.ts',
  mapping: 'apps/ingestion/src/mapping-command/main.ts',
  rollup: 'apps/query/src/rollup-command/main.ts',
  table: 'libs/table/src/table-command/main.ts',
  shrink: 'apps/registry/src/shrink-command/main.ts',
  image: 'tools/image/src/main.ts',
  chart: 'tools/chart/src/main.ts',
  'test:cluster': 'tools/chart/src/cluster/main.ts',
  dashboards: 'tools/dashboards/src/main.ts',
  'console:pictures': 'apps/console/test/browser/pictures/main.ts',
  'demo:hot': 'tools/bench/src/hot/demo/main.ts',
  'release:version': 'tools/release/src/set-version-main.ts',
  'check:release': 'tools/release/src/check-main.ts',
  'catalog:load': 'apps/catalog/src/load-command/main.ts',
  client: 'tools/reference/src/client/build-package.ts',
  'catalog:model': 'apps/catalog/src/model-command/main.ts',
};

if (process.platform === 'win32')
  fail(
    'Windows is supported through WSL only: run wsl --install, and then this command in its Linux shell',
  );
const [command, ...args] = process.argv.slice(2);
const script = commands[command];
if (script === undefined)
  fail(`there is no command "${command}"; there are ${Object.keys(commands).join(', ')}`);
install();
run(script);

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(workspace, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(pinnedNode)) return;
  console.log('installing what package-lock.json names (about a minute, once) …');
  const { status, signal } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: workspace,
      stdio: 'inherit',
    },
  );
  if (signal !== null) process.exit(130);
  if (status !== 0) fail('npm ci did not work; what it says is above');
  if (!existsSync(pinnedNode))
    fail('npm ci ran without install scripts; allow them: the package "node" needs its own');
  writeFileSync(stamp, wanted);
}

function run(script) {
  const [file, ...options] = script.split(' ');
  const child = spawn(pinnedNode, [join(workspace, file), ...options, ...args], {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter) },
  });
  // Its end is ours to wait for. A signal from the terminal reaches it as well; a second one does no harm there.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) =>
    fail(
      `${pinnedNode} cannot be run (${message}): the npm package "node" is built for glibc, not for musl`,
    ),
  );
  child.on('exit', (code) => process.exit(code ?? 1));
}

function fail(message) {
  console.error(`engawa: ${message}`);
  process.exit(1);
}
