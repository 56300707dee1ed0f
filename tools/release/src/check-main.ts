import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { checkRelease } from './check-release.ts';
import { describeFinding } from './finding.ts';
import { Repository } from './repository.ts';
import { runCommand } from './run-command.ts';

const help = `Checks that version, chart, image, contracts, documents and changelog agree.

  npm run check:release -- [options]

  --tag TAG         tag to publish: must be v and the version
  --folder FOLDER   the repository, or a copy of it (this one)
  --help            this text
`;

await runCommand(() => {
  const { values } = parseArgs({
    options: {
      tag: { type: 'string' },
      folder: { type: 'string', default: resolve(import.meta.dirname, '../../..') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  const repository = new Repository(values.folder);
  const findings = checkRelease(repository, values.tag);
  for (const finding of findings) console.error(describeFinding(finding));
  if (findings.length > 0)
    throw new OperatorError(`release check failed (findings: ${findings.length})`);
  console.log(
    `version, chart, image, contracts, documents and changelog agree on ${repository.version}`,
  );
});
