import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { parseArgs } from 'node:util';

// The parser imports its schemas without the import attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } =
  await import('@actions/workflow-parser');

/**
 * Prints the errors of GitHub's own parser for each given workflow, as JSON. It runs in its own
 * process, because the parser is an ES module and Jest runs tests as CommonJS.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const errors: Record<string, string[]> = {};
for (const name of positionals) {
  const content = readFileSync(name, 'utf8');
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  errors[name] = context.errors.getErrors().map(({ message }) => message);
}
console.log(JSON.stringify(errors));
