import { join, resolve } from 'node:path';
import process from 'node:process';
import { buildWeb } from '@engawa/console/build';
import { bundle } from './bundle.ts';

/**
 * Run by the Dockerfile where the packages are installed: `node build-bundle.ts <folder>` makes the image's JavaScript,
 * and the console's web app in `dist`, which the server expects beside the folder of its chunk.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('engawa: name the folder of the result');
  process.exit(1);
}
await bundle({ workspace: resolve(import.meta.dirname, '../../..'), target: resolve(folder) });
await buildWeb({ folder: join(resolve(folder), 'dist') });
