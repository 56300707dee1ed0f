import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import ts from 'typescript';
import type { KubernetesObject } from '../src/helm.ts';

/** Errors by the API server's schemas: wrong types and formats, missing fields, unknown kinds. */
export function refusedBySchema(objects: readonly KubernetesObject[]): string[] {
  const program = join(__dirname, 'validate-objects.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    input: JSON.stringify(objects),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

/**
 * Fields that the objects' types do not know. The schemas allow unknown fields, and the API server
 * drops them silently; the compiler rejects them in a literal.
 */
export function refusedByType(objects: readonly KubernetesObject[]): string[] {
  const literals = objects.map(({ apiVersion, kind, ...rest }, index) => {
    const library = apiVersion.startsWith('monitoring.coreos.com/')
      ? '@kubernetes-models/prometheus-operator'
      : 'kubernetes-models';
    const type = `import('${library}/${apiVersion}/${kind}').I${kind}`;
    return `const object${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  const name = join(__dirname, 'literals.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const program = ts.createProgram([name], options, hostWith(name, literals.join('\n'), options));
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : -1;
    const { kind, metadata } = objects[line] ?? {};
    return `${kind ?? ''} ${metadata?.name ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** A compiler host with one additional file. */
function hostWith(name: string, text: string, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (file) => file === name || host.fileExists(file),
    getSourceFile: (file, version, ...rest) =>
      file === name
        ? ts.createSourceFile(file, text, version)
        : host.getSourceFile(file, version, ...rest),
  };
}
