import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { openBeforeAll } from '@engawa/testing';
import { Services } from '../services.ts';
import { readContracts } from './contract-operations.ts';

const run = promisify(execFile);

/** Below node_modules of the workspace, where the client's own imports are found. */
const folder = join(__dirname, '../../../../node_modules/.cache/generated-client');
const client = join(folder, 'ask-house.ts');
const generator = join(
  dirname(createRequire(__filename).resolve('openapi-typescript/package.json')),
  'bin/cli.js',
);

const services = openBeforeAll(() => Services.start());
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(__dirname, 'client/ask-house.ts.txt'), client);
  for (const [name, contract] of Object.entries(await readContracts(services))) {
    const file = join(folder, name);
    writeFileSync(`${file}.json`, JSON.stringify(contract));
    await run(process.execPath, [generator, `${file}.json`, '--output', `${file}.d.ts`]);
  }
});

it('a client with types generated from the contracts works without casts', async () => {
  const program = ts.createProgram([client], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const mistakes = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
    return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(mistakes).toEqual([]);
  const { outputText } = ts.transpileModule(readFileSync(client, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 },
  });
  const module = client.replace(/ts$/, 'mjs');
  writeFileSync(module, outputText);
  const script = `import { askHouse } from ${JSON.stringify(module)};
    console.log(JSON.stringify(await askHouse(${JSON.stringify(services.urls)})));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toEqual([
    'Shed',
    '/problems/already-exists',
    '1 stored',
    '09:00 21.5',
    '10:00 none',
    'meter climate',
    '0 types',
  ]);
});
