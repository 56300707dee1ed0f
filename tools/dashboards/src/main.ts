import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { generatedFiles } from './generated-files.ts';

const workspace = resolve(import.meta.dirname, '../../..');

for (const [name, content] of generatedFiles()) {
  const file = resolve(workspace, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${name}`);
}
