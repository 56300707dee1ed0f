import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { CatalogClient } from './catalog-client.ts';
import { loadModel } from './load-model.ts';
import { help, parseOptions } from './options.ts';
import { readModel } from './read-model.ts';

const folder = join(import.meta.dirname, '../../models');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    print(help);
  } else {
    const model = await readModel(options.model, { folder, from: options.from });
    const client = new CatalogClient({ ...options, signal: stop.signal });
    await loadModel({ model, client, signal: stop.signal, print });
  }
} catch (error) {
  if (!stop.signal.aborted) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`catalog:load: ${error.message}\n`);
  }
  process.exitCode = 1;
}
