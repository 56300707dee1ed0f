import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { checkRelease } from './check-release.ts';
import { describeFinding } from './finding.ts';
import { Repository } from './repository.ts';
import { runCommand } from './run-command.ts';
import { setVersion } from './set-version.ts';

await runCommand(() => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [version = '', ...more] = positionals;
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) || more.length > 0) {
    throw new OperatorError('name the version, such as: npm run release:version -- 1.2.3');
  }
  const folder = resolve(import.meta.dirname, '../../..');
  const today = new Date().toISOString().slice(0, 10);
  const changed = setVersion(new Repository(folder), version, today);
  console.log(`wrote ${version} into ${changed.length} files`);
  const findings = checkRelease(new Repository(folder));
  for (const finding of findings) console.log(`left to do: ${describeFinding(finding)}`);
});
