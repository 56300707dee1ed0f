#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { Simulator } from './simulator.ts';
import type { ConflictsInput } from './conflicts.ts';
import type { InjectedFaultInput } from './faults.ts';
import type { LimitsInput } from './limits.ts';

const usage = `A proxy for a DynamoDB API that throttles per key and injects faults.

  --upstream URL   the DynamoDB API behind the proxy (default http://127.0.0.1:8000)
  --port NUMBER    port to listen on (default 8001; 0 for a free one)
  --host ADDRESS   address to listen on (default 127.0.0.1)
  --limits FILE    JSON, as for PUT /simulator/limits
  --faults FILE    JSON, as for PUT /simulator/faults
  --conflicts FILE JSON, as for PUT /simulator/conflicts
  --seed NUMBER    seed of random choices (default 1)`;

const options = {
  upstream: { type: 'string', default: 'http://127.0.0.1:8000' },
  port: { type: 'string', default: '8001' },
  host: { type: 'string', default: '127.0.0.1' },
  limits: { type: 'string' },
  faults: { type: 'string' },
  conflicts: { type: 'string' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean', default: false },
} as const;

try {
  await main();
} catch (error) {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  console.error(`dynamodb-simulator: ${message}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    return;
  }
  const simulator = await Simulator.start({
    upstream: z
      .url({ protocol: /^https?$/, error: '--upstream must be a URL' })
      .parse(values.upstream),
    host: values.host,
    port: z.coerce.number().int().min(0).max(65_535).parse(values.port),
    seed: z.coerce.number().int().parse(values.seed),
    ...(values.limits !== undefined && { limits: readJson(values.limits) as LimitsInput }),
    ...(values.faults !== undefined && { faults: readJson(values.faults) as InjectedFaultInput[] }),
    ...(values.conflicts !== undefined && {
      conflicts: readJson(values.conflicts) as ConflictsInput,
    }),
  });
  console.log(
    `${simulator.endpoint} forwards to ${values.upstream}; state: ${simulator.endpoint}/simulator`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.close());
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
