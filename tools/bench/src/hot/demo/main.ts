import { OperatorError } from '@engawa/errors';
import { HotRig } from '../rig.ts';
import { wrapped } from './narration.ts';
import { help, parseDemoOptions } from './options.ts';
import { Demonstration } from './demonstration.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { ObservedTable } from '../rig.ts';
import type { DemoOptions } from './options.ts';

/** Write units a second of a partition key: this machine can exceed it, unlike the 1,000 of DynamoDB. */
const limit = 20;

const introduction = `Engawa keeps everything in one DynamoDB table. DynamoDB accepts 1,000 write units a second per partition key, however large the table is, and throttles a key above that. Here the limit is ${limit} units, so that this machine can exceed it.`;

let isInterrupted = false;
const print = (line: string): void => {
  if (!isInterrupted) console.log(line);
};

/** Rejects at the first signal. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Interruption()));
    }
  });
}

class Interruption extends Error {}

async function show({ mitigation, timeoutMs }: DemoOptions): Promise<void> {
  for (const line of wrapped(introduction)) print(line);
  print('\nstarting a DynamoDB API, a simulator that throttles, a broker and three services …');
  const rig = await HotRig.start({ limit, node: [], profile: undefined });
  // Each reading is written when it arrives, so only the table delays it.
  const environment = { LINGER_MS: '0', SHARD_GROWTH: mitigation ? 'on' : 'off' };
  const withService = <Result>(
    service: string,
    observed: ObservedTable,
    use: (service: ServiceProcess) => Promise<Result>,
  ): Promise<Result> => rig.withService(service, observed, environment, use);
  const tell = (observed: ObservedTable) =>
    withService('ingestion', observed, (ingestion) =>
      withService('registry', observed, (registry) =>
        withService('query', observed, (query) => {
          const services = { ingestion, registry, query };
          return new Demonstration({ rig, observed, services, limit, timeoutMs, print }).tell();
        }),
      ),
    );
  try {
    await Promise.race([rig.withStage('demo', tell), interrupted()]);
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    print('\nstopping …');
    isInterrupted = true;
  } finally {
    await rig.close();
  }
}

async function run(): Promise<number> {
  try {
    const options = parseDemoOptions(process.argv.slice(2));
    if (options.help) print(help);
    else await show(options);
    return 0;
  } catch (error) {
    console.error(`engawa: ${error instanceof OperatorError ? error.message : String(error)}`);
    return 1;
  }
}

// An interrupted story has timers and requests left.
process.exit(await run());
