import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { referenceDocuments } from './documents.ts';

const folder = resolve(import.meta.dirname, '../../../docs/reference');

for (const [name, content] of referenceDocuments()) {
  writeFileSync(join(folder, name), content);
  console.log(`wrote docs/reference/${name}`);
}

await import('./client/write-operations.ts');
