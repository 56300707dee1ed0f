import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Attempt } from '../src/lint-imports.ts';

const workspace = resolve(__dirname, '../../..');
const boundary = '@nx/enforce-module-boundaries';
const restricted = 'no-restricted-imports';

/** Each line is judged as if it stood in that file, which exists: the typed rules want one of a project. */
const attempts: (Attempt & { breaks: string[] })[] = [
  { file: 'libs/keys/src/tuple.ts', code: `import '@engawa/model';`, breaks: [boundary] },
  { file: 'libs/keys/src/tuple.ts', code: `import '@engawa/keys';`, breaks: [boundary] },
  { file: 'libs/keys/src/tuple.ts', code: `import 'express';`, breaks: [boundary] },
  { file: 'libs/model/src/devices/kind.ts', code: `import '@engawa/table';`, breaks: [boundary] },
  {
    file: 'libs/model/src/devices/kind.ts',
    code: `import '@aws-sdk/client-dynamodb';`,
    breaks: [boundary],
  },
  { file: 'libs/model/src/devices/kind.ts', code: `import 'mqtt';`, breaks: [boundary] },
  { file: 'libs/service/src/index.ts', code: `import '@engawa/http';`, breaks: [boundary] },
  { file: 'libs/http/src/index.ts', code: `import '@engawa/table';`, breaks: [boundary] },
  { file: 'libs/http/src/index.ts', code: `import '@engawa/hot-partitions';`, breaks: [boundary] },
  { file: 'apps/query/src/start.ts', code: `import '@engawa/registry';`, breaks: [boundary] },
  { file: 'apps/query/src/start.ts', code: `import '@engawa/testing';`, breaks: [restricted] },
  { file: 'libs/model/src/devices/kind.ts', code: `import '@engawa/keys';`, breaks: [] },
  { file: 'libs/http/src/index.ts', code: `import '@engawa/errors';`, breaks: [] },
  { file: 'apps/query/src/start.ts', code: `import '@engawa/table';`, breaks: [] },
];

describe('the layers', () => {
  const output = execFileSync(process.execPath, ['tools/workspace/src/lint-imports.ts'], {
    cwd: workspace,
    input: JSON.stringify(attempts),
    encoding: 'utf8',
  });
  const broken = JSON.parse(output) as string[][];

  it.each(attempts.map((attempt, index) => ({ ...attempt, rules: broken[index] })))(
    '$file may contain $code but for $breaks',
    ({ rules, breaks }) => {
      expect(rules).toEqual(breaks);
    },
  );
});
