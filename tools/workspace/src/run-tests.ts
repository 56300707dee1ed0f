import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Everything that `npm test` does: format, lint, types, and every project's tests. Arguments narrow it to some projects:
 * `npm test -- keys model`. The last line says how many passed and failed.
 */
const workspace = resolve(import.meta.dirname, '../../..');
const projects = process.argv
  .slice(2)
  .map((name) => (name.startsWith('@') ? name : `@engawa/${name}`));

interface Summary {
  passed: number;
  failed: number;
  skipped: string[];
}

function run(title: string, command: string, args: readonly string[]): boolean {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' },
  });
  return status === 0;
}

function runTarget(target: string): boolean {
  const narrowed = projects.length > 0 ? ['--projects', projects.join(',')] : [];
  return run(target, 'nx', [
    'run-many',
    '-t',
    target,
    '--parallel=2',
    '--output-style=static',
    ...narrowed,
  ]);
}

function summaries(): Summary[] {
  const manifests = globSync('{apps,libs,tools}/*/package.json', { cwd: workspace });
  return manifests.flatMap((file) => {
    const { name, scripts } = read(file) as { name: string; scripts?: { test?: string } };
    if (scripts?.test === undefined || (projects.length > 0 && !projects.includes(name))) return [];
    const results = join(dirname(file), 'test-results.json');
    if (existsSync(join(workspace, results))) return [read(results) as Summary];
    console.log(`${name}: its tests did not come to an end`);
    return [{ passed: 0, failed: 1, skipped: [] }];
  });
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(workspace, file), 'utf8'));
}

for (const file of globSync('{apps,libs,tools}/*/test-results.json', { cwd: workspace })) {
  rmSync(join(workspace, file));
}
const checks = [
  run('format', 'prettier', ['--check', '--log-level=warn', '.']),
  runTarget('lint'),
  runTarget('typecheck'),
];
runTarget('test');
const all = summaries();
const skipped = all.flatMap((summary) => summary.skipped);
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
const passed = checks.filter(Boolean).length + sum(all.map((summary) => summary.passed));
const failed = checks.filter((ok) => !ok).length + sum(all.map((summary) => summary.failed));

console.log(skipped.length > 0 ? '\nleft out:' : '');
for (const name of skipped) console.log(`  ${name}`);
const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
console.log(`${passed} passed, ${failed} failed${rest}`);
process.exitCode = failed > 0 ? 1 : 0;
