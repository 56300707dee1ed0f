import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';

/** A package with one executable file. */
export interface RegistryPackage {
  name: string;
  version: string;
  /** The version in the package's own package.json, if it is another one. */
  manifestVersion?: string;
  executable: { name: string; content: string | Uint8Array };
  /** Scripts of its package.json. */
  scripts?: Readonly<Record<string, string>>;
}

export interface NpmRegistry {
  url: string;
  /** The environment of an npm that uses this registry, and nothing of the user's settings and cache. */
  environment: NodeJS.ProcessEnv;
  /** Paths of all requests. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * An npm registry on a free port of loopback, for tests.
 * @param beforeDownload the tarball is sent when the returned promise resolves
 */
export async function startNpmRegistry(
  packages: readonly RegistryPackage[],
  beforeDownload: () => Promise<void> = () => Promise.resolve(),
): Promise<NpmRegistry> {
  const home = mkdtempSync(join(tmpdir(), 'npm-registry-'));
  const requests: string[] = [];
  const answers = new Map<string, object | Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end('{}');
    else if (!Buffer.isBuffer(answer)) response.end(JSON.stringify(answer));
    else void beforeDownload().then(() => response.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const each of packages) {
    const tarball = pack(each);
    answers.set(`/${each.name}`, metadata(each, url, tarball));
    answers.set(`/${each.name}.tgz`, tarball);
  }
  const environment = { PATH: process.env['PATH'], HOME: home, npm_config_registry: url };
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    rmSync(home, { recursive: true, force: true });
  };
  return { url, environment, requests, close };
}

/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
function metadata(published: RegistryPackage, url: string, tarball: Buffer): object {
  const { name, version, scripts } = published;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${url}/${name}.tgz`, integrity };
  // npm runs scripts only if the metadata has them.
  const manifest = { name, version, dist, scripts, hasInstallScript: scripts !== undefined };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: manifest } };
}

/** The package as npm publishes it: its files are in the folder `package` of a tar archive. */
function pack({ name, version, manifestVersion, executable, scripts }: RegistryPackage): Buffer {
  const parent = mkdtempSync(join(tmpdir(), 'npm-package-'));
  const folder = join(parent, 'package');
  mkdirSync(folder);
  const manifest = { name, version: manifestVersion ?? version, scripts };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, executable.name), executable.content, { mode: 0o755 });
  // The tar of macOS would add files with extended attributes.
  const env = { ...process.env, COPYFILE_DISABLE: '1' };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  const tarball = execFileSync('tar', ['-czf', '-', '-C', parent, 'package'], options);
  rmSync(parent, { recursive: true });
  return tarball;
}
