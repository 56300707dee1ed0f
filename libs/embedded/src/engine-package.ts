import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './service-process.ts';

/** The npm package with the executable of the embedded DynamoDB API for one platform. */
export interface EnginePackage {
  /** `<process.platform>-<process.arch>`, such as `darwin-arm64`. */
  platform: string;
  name: string;
  version: string;
  /** File name of the executable in the package. */
  executable: string;
}

/**
 * The package for a platform. Its version is the one that package-lock.json has for linux-x64: all platforms' packages
 * have the same versions, but the lock file has only one of them.
 */
export function enginePackage(platform: string): EnginePackage {
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string } | undefined>;
  };
  const version = lock.packages['node_modules/@dynoxide/linux-x64']?.version;
  if (version === undefined) throw new Error('package-lock.json has no @dynoxide/linux-x64');
  const executable = platform.startsWith('win32-') ? 'dynoxide.exe' : 'dynoxide';
  return { platform, name: `@dynoxide/${platform}`, version, executable };
}

/** Path of the executable of a package that npm has installed in this folder. */
export function executableIn(folder: string, engine: EnginePackage): string {
  return join(folder, 'node_modules', engine.name, engine.executable);
}

/** The defect of the package that npm has installed in this folder; undefined if it can be used. */
export function defectIn(folder: string, engine: EnginePackage): string | undefined {
  const installed = readManifest(join(folder, 'node_modules', engine.name, 'package.json'));
  if (installed === undefined) return `npm has installed no package ${engine.name}`;
  if (installed.name !== engine.name || installed.version !== engine.version) {
    return `npm has installed ${installed.name} ${installed.version} instead of ${engine.name} ${engine.version}`;
  }
  try {
    accessSync(executableIn(folder, engine), constants.X_OK);
    return undefined;
  } catch {
    return `${engine.name} ${engine.version} has no executable file ${engine.executable}`;
  }
}

function readManifest(file: string): { name: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
  } catch {
    return undefined;
  }
}
