import { until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { Services } from '../services.ts';
import type { MqttClient } from 'mqtt';

const minute = 60_000;
const hour = 60 * minute;
const range = `from=${Date.now() - hour}&to=${Date.now() + 24 * hour}`;

let services: Services;
let client: MqttClient;
beforeAll(async () => {
  services = await Services.start();
  client = await connectAsync(services.brokerUrl);
});
afterAll(async () => {
  await client.endAsync();
  await services.close();
});

type Json = Record<string, unknown>;

async function ask(path: string): Promise<Json> {
  return (await (await fetch(services.urls.query + path)).json()) as Json;
}

/** Publishes the messages of a device one after the other, and waits until all are stored. */
async function publish(id: string, offsets: readonly number[], start = 0): Promise<void> {
  const publishing = offsets.map((aheadMs, index) => {
    const message = { ts: Date.now() + aheadMs, step: start + index };
    return client.publishAsync(`engawa/${id}/readings`, JSON.stringify(message), { qos: 1 });
  });
  await Promise.all(publishing);
  await until(`the readings of ${id}`, async () => {
    const { items = [] } = await ask(`/v1/devices/${id}/readings?${range}`);
    return (items as Json[]).length === start + offsets.length;
  });
}

/** The step of the newest reading, and of the newest value, in each response that has it. */
async function stepsOf(id: string): Promise<unknown[]> {
  const one = await ask(`/v1/devices/${id}/latest`);
  const many = await ask(`/v1/latest?device=${id}`);
  const all = await ask(`/v1/devices/${id}/fields`);
  const named = await ask(`/v1/devices/${id}/fields?fields=step`);
  const [first] = many['items'] as { readings: { fields: Json }[] }[];
  return [
    (one['readings'] as { fields: Json }[])[0]?.fields['step'],
    first?.readings[0]?.fields['step'],
    ...[all, named].map(
      ({ fields }) => (fields as Json[]).find(({ name }) => name === 'step')?.['value'],
    ),
  ];
}

describe('the newest reading', () => {
  it.each<[string, number[][]]>([
    ['right-at-last', [[8 * hour], [8 * hour], [0]]],
    ['less-ahead', [[8 * hour], [8 * hour], [4 * hour]]],
    ['right-at-once', [[8 * hour, 1000]]],
    ['less-ahead-at-once', [[8 * hour, 8 * hour, 4 * hour]]],
    ['ahead-again', [[8 * hour], [0], [4 * hour]]],
    ['a-minute-ahead', [[2 * minute], [0]]],
    ['slightly-ahead', [[0], [50_000], [10_000, 55_000]]],
  ])('is the one received last: %s', async (id, deliveries) => {
    let sent = 0;
    for (const offsets of deliveries) {
      await publish(id, offsets, sent);
      sent += offsets.length;
      expect(await stepsOf(id)).toEqual(Array.from({ length: 4 }, () => sent - 1));
    }
  });
});
