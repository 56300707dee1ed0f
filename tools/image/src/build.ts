import { join, resolve } from 'node:path';
import process from 'node:process';
import { buildManifests, buildSources } from './build-tree.ts';

/**
 * What the Dockerfile runs, on the Node of the base image and with nothing installed, so all that
 * this imports is Node's own: `node build.ts <folder>` makes `<folder>/sources`, and
 * `<folder>/manifests` to install from.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('engawa: say which folder gets what is built');
  process.exit(1);
}
const workspace = resolve(import.meta.dirname, '../../..');
buildManifests({ workspace, target: join(folder, 'manifests') });
const count = buildSources({ workspace, target: join(folder, 'sources') });
console.log(`built ${count} sources`);
