import { describeWithMosquitto, metricValue, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { Stack } from './stack.ts';

/** Publishes one reading with many digits, and queries it. */
async function publishAndAsk(stack: Stack): Promise<void> {
  const device = await connectAsync(stack.mqttUrl);
  const payload = '{"temperature":21.50,"total":12345678901234567890.123}';
  await device.publishAsync('engawa/my-sensor/readings', payload, { qos: 1 });
  await device.endAsync();

  const url = `${stack.query.url}/v1/devices/my-sensor/latest?limit=10`;
  await until('the reading', async () => (await (await fetch(url)).text()).includes('"time"'));
  const queries = () =>
    metricValue(stack.query.metricsUrl, 'engawa_table_attempts_total', { operation: 'Query' });
  const all = () => metricValue(stack.query.metricsUrl, 'engawa_table_attempts_total');
  const before = { queries: await queries(), all: await all() };
  const answer = await (await fetch(url)).text();
  expect(answer).toContain('"fields":{"temperature":21.5,"total":12345678901234567890.123}');
  expect(JSON.parse(answer)).toMatchObject({ device: { id: 'my-sensor', status: 'active' } });
  expect({ queries: await queries(), all: await all() }).toEqual({
    queries: before.queries + 1,
    all: before.all + 1,
  });
}

async function withStack(
  stack: Promise<Stack>,
  test: (stack: Stack) => Promise<void>,
): Promise<void> {
  const started = await stack;
  try {
    await test(started);
  } finally {
    await started.close();
  }
}

describe('a reading sent over MQTT', () => {
  it('is returned over HTTP with all digits by one Query', () =>
    withStack(Stack.start(), publishAndAsk));
});

describeWithMosquitto('a reading sent through Mosquitto', () => {
  it.each(['5', '3.1.1'] as const)('over MQTT %s is returned over HTTP', (mqttVersion) =>
    withStack(Stack.start({ broker: startMosquitto(), mqttVersion }), publishAndAsk),
  );
});
