import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const values = fileURLToPath(new URL('../../../../charts/engawa/values.yaml', import.meta.url));

/** Ingestion's heap size and memory limit by default of the chart. */
export interface ChartHeap {
  /** Options of Node, such as `--max-old-space-size=…`. */
  nodeOptions: string[];
  limitMegabytes: number;
}

/** @throws Error if the chart does not declare them */
export function chartHeap(): ChartHeap {
  const text = readFileSync(values, 'utf8');
  const ingestion = text.slice(text.search(/^ingestion:/m), text.search(/^registry:/m));
  const options = /^ {2}nodeOptions: (.+)$/m.exec(ingestion)?.[1];
  const limit = /^ {4}limits: \{ memory: (\d+)Mi \}$/m.exec(ingestion)?.[1];
  if (options === undefined || limit === undefined) {
    throw new Error(`${values} has no heap and memory limit of ingestion`);
  }
  return { nodeOptions: options.split(' '), limitMegabytes: Number(limit) };
}
