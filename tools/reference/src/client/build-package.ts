import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const workspace = resolve(import.meta.dirname, '../../../..');
const source = join(workspace, 'libs/client');
const folder = resolve(process.argv[2] ?? join(workspace, 'dist/client'));

const options: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: join(source, 'src'),
  outDir: folder,
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const program = ts.createProgram([join(source, 'src/index.ts')], options);
const { diagnostics } = program.emit();
const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (faults.length > 0) {
  const host = { ...ts.createCompilerHost(options), getNewLine: () => '\n' };
  throw new Error(ts.formatDiagnostics(faults, host));
}

const { name, version, license, type } = JSON.parse(
  readFileSync(join(source, 'package.json'), 'utf8'),
) as Record<string, string>;
const entry = { types: './index.d.ts', default: './index.js' };
const manifest = { name, version, license, type, engines: { node: '>=20.3' }, exports: entry };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
copyFileSync(join(workspace, 'LICENSE'), join(folder, 'LICENSE'));
console.log(`wrote ${folder}; install it with: npm install ${folder}`);
