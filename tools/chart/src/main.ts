import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder } from './chart-folder.ts';
import { generatedFiles } from './generated-files.ts';

for (const [name, content] of generatedFiles()) {
  writeFileSync(join(chartFolder, name), content);
  console.log(`wrote charts/engawa/${name}`);
}
