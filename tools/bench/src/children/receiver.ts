// The first half of the baseline: mqtt.js receives at QoS 1, acknowledges by itself and counts; of arrays it
// also parses the JSON.
import { connectAsync } from 'mqtt';
import { serve, usedCpu } from '../serve.ts';

export interface ReceiverMethods {
  /** Microseconds of CPU until this many further messages have arrived. */
  receive(input: { count: number; parses: boolean }): Promise<number>;
}

interface Argument {
  url: string;
  version: '5' | '3.1.1';
  filter: string;
}

const { url, version, filter } = JSON.parse(process.argv[2] ?? '{}') as Argument;
let received = 0;
let wanted = Infinity;
let parses = false;
let arrived: () => void = () => undefined;

const client = await connectAsync(url, {
  protocolVersion: version === '5' ? 5 : 4,
  clientId: 'bench-baseline',
  clean: false,
  ...(version === '5' && { properties: { receiveMaximum: 2000, sessionExpiryInterval: 3600 } }),
});
client.on('message', (_topic, payload) => {
  if (parses) JSON.parse(payload.toString());
  received += 1;
  if (received === wanted) arrived();
});
await client.subscribeAsync(filter, { qos: 1 });

const methods: ReceiverMethods = {
  receive: async ({ count, parses: withParsing }) => {
    parses = withParsing;
    const before = usedCpu();
    const all = Promise.withResolvers<undefined>();
    wanted = received + count;
    arrived = () => all.resolve(undefined);
    await all.promise;
    return usedCpu() - before;
  },
};
serve(methods);
