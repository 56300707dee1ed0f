import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asModule, bundledServices } from './bundled-services.ts';
import { untilReady } from './running-image.ts';
import type { BundledServices } from './bundled-services.ts';

/** Without packages that are not bundled. A package that is loaded by accident exceeds it. */
const maxBundleBytes = 4_700_000;
/** Of one service at rest: without tracing, other credential sources than the environment, and OpenSearch. */
const maxLoadedBytes = 3_100_000;
/** Of the web app, before compression: all pages. */
const maxWebBytes = 600_000;
const services = ['ingestion', 'registry', 'query', 'catalog', 'console'];

let bundled: BundledServices;
beforeAll(async () => (bundled = await bundledServices()));
afterAll(() => bundled.close());

/** Prints the modules that a process has loaded when it ends, as a line of its log. */
const printModules = `import { registerHooks } from 'node:module';
  const urls = [];
  registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
  process.on('exit', () => console.log(JSON.stringify({ msg: 'modules', urls })));`;

it.each(services)('loads a bounded size of JavaScript for %s, and only chunks', async (service) => {
  const NODE_OPTIONS = `--import=${asModule(printModules)}`;
  const started = bundled.run([service], { NODE_OPTIONS });
  await untilReady(service, () => started.ports.url('METRICS_PORT'));
  started.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  // A line of each thread.
  const lines = started.logged.filter(({ msg }) => msg === 'modules') as { urls: string[] }[];
  const urls = lines.flatMap((line) => line.urls);
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const packages = files.filter((file) => file.includes('node_modules'));
  expect(packages).toEqual([]);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(maxLoadedBytes);
});

it('has JavaScript of bounded size in ASCII', () => {
  const files = globSync('{*,chunks/*}.js', { cwd: bundled.folder });
  const texts = files.map((file) => readFileSync(join(bundled.folder, file), 'utf8'));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeLessThan(maxBundleBytes);
  // V8 stores a source text with any other character in two bytes per character.
  expect(files.filter((_, index) => /[^\0-\x7f]/.test(texts[index] ?? ''))).toEqual([]);
});

it('has a web app of bounded size, without source maps', () => {
  const files = globSync('dist/**/*.*', { cwd: bundled.folder });
  const bytes = files.reduce((sum, file) => sum + statSync(join(bundled.folder, file)).size, 0);
  expect(bytes).toBeLessThan(maxWebBytes);
  expect(files.filter((file) => !/\.(html|js|css|svg|woff2)$/.test(file))).toEqual([]);
});
