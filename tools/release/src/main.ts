import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { buildRelease } from './build/build-release.ts';
import { readCommit } from './build/commit.ts';
import { checkRelease } from './check-release.ts';
import { describeFinding } from './finding.ts';
import { help, parseOptions } from './options.ts';
import { Repository } from './repository.ts';
import { runCommand } from './run-command.ts';

const workspace = resolve(import.meta.dirname, '../../..');

await runCommand(async () => {
  const options = parseOptions(process.argv.slice(2), workspace);
  if (options === 'help') {
    console.log(help);
    return;
  }
  const repository = new Repository(workspace);
  const findings = checkRelease(repository, options.tag);
  for (const finding of findings) console.error(describeFinding(finding));
  if (findings.length > 0)
    throw new OperatorError(`release check failed (findings: ${findings.length})`);
  const commit = await readCommit(workspace);
  if (!commit.isClean) {
    const changed = 'the working tree has uncommitted changes';
    if (options.tag !== undefined) throw new OperatorError(`${changed}; commit or remove them`);
    console.log(`${changed}: do not publish this release`);
  }
  const { out, address = repository.address, ...rest } = options;
  if (address === undefined) {
    console.log('package.json names no repository: the chart has no home and no sources');
  }
  const print = (line: string): void => console.log(line);
  const made = { ...rest, commit, address, target: out, print };
  const leftOut = await buildRelease(repository, made);
  console.log(`\n${relative(workspace, out)} has ${repository.version}:`);
  for (const name of readdirSync(out).sort()) {
    console.log(`  ${name} (${Math.ceil(statSync(join(out, name)).size / 1000)} kB)`);
  }
  for (const { what, why } of leftOut) console.log(`left out: ${what}: ${why}`);
});
