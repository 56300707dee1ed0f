import { join, resolve } from 'node:path';
import process from 'node:process';
import { buildBundlerManifests, buildManifests } from './build-manifests.ts';

/**
 * Run by the Dockerfile before any package is installed, so that all imports are Node's own: `node prepare-build.ts
 * <folder>` makes `<folder>/manifests` and `<folder>/bundler`, from which npm installs.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('engawa: name the folder of the result');
  process.exit(1);
}
const workspace = resolve(import.meta.dirname, '../../..');
buildManifests({ workspace, target: join(folder, 'manifests') });
buildBundlerManifests({ workspace, target: join(folder, 'bundler') });
