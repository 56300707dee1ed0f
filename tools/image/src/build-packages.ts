import { resolve } from 'node:path';
import process from 'node:process';
import { copyPackages } from './copy-packages.ts';

/**
 * Run by the Dockerfile where the packages are installed: `node build-packages.ts <from> <to>` copies what the image
 * needs.
 */
const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) {
  console.error('engawa: name the folders of the packages and of the result');
  process.exit(1);
}
copyPackages({ from: resolve(from), to: resolve(to) });
