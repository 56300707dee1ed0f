import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

/** A line of code as it would stand in a file of the workspace. */
export interface Attempt {
  file: string;
  code: string;
}

/**
 * Reads attempts as JSON from standard input and prints, for each, which of the import rules it
 * breaks. A process of its own, because ESLint loads its configuration as an ES module and Jest
 * runs tests as CommonJS.
 */
const attempts = JSON.parse(await text(process.stdin)) as Attempt[];
// With CI set, the parser would take the program of the files as they are instead of the code that is given.
const parserOptions = { disallowAutomaticSingleRunInference: true };
const eslint = new ESLint({ overrideConfig: { languageOptions: { parserOptions } } });
const broken = [];
for (const { file, code } of attempts) {
  const [result] = await eslint.lintText(code, { filePath: file });
  const rules = (result?.messages ?? []).map(({ ruleId }) => ruleId ?? 'syntax');
  broken.push(rules.filter((rule) => /module-boundaries|restricted-imports|syntax/.test(rule)));
}
console.log(JSON.stringify(broken));
