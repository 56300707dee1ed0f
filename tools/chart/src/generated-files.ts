import { chartReadme, valuesFile } from './readme.ts';
import { valuesSchema } from './values-schema.ts';

/** The generated files of the chart, by name. */
export function generatedFiles(): Map<string, string> {
  return new Map([
    ['README.md', chartReadme()],
    ['values.schema.json', `${JSON.stringify(valuesSchema(valuesFile()), undefined, 2)}\n`],
  ]);
}
