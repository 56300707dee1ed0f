// Names in package-lock.json the optional packages for other platforms that the registry in use does not have: `npm ci`
// wants every optional dependency named, on whatever platform it runs. Run it after `npm install` where `npm ci` says
// "Missing: … from lock file":   node tools/workspace/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

/** What a package is for, by the parts of its name: `@swc/core-linux-arm64-musl`. */
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

function platformOf(name) {
  const parts = name.split(/[/-]/).map((part) => (part === 'eabi' ? 'arm' : part));
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  const libc = parts.flatMap((part) => libraries[part] ?? []);
  return {
    ...(cpu.length && { cpu }),
    ...(os.length && { os }),
    ...(libc.length && os[0] === 'linux' && { libc }),
  };
}

const packages = Object.entries(lock.packages);
for (const [, { optionalDependencies = {} }] of packages) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    const platform = platformOf(name);
    if (place in lock.packages || Object.keys(platform).length === 0) continue;
    lock.packages[place] = { version, ...platform, optional: true };
    console.log(`named ${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
