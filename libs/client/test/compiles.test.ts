import { join } from 'node:path';
import ts from 'typescript';

/** Without the types of Node and of tests. */
const inBrowsers: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
};

/** `@ts-expect-error` in these files is checked, too. */
it('compiles for browsers, and rejects a wrong name', () => {
  const files = ['types.ts', 'relation-types.ts', 'list-types.ts'].map((file) =>
    join(__dirname, file),
  );
  const program = ts.createProgram(files, inBrowsers);
  const messages = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(messages).toEqual([]);
});
