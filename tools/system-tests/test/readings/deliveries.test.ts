import { until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { Services } from '../services.ts';
import type { MqttClient } from 'mqtt';

let services: Services;
let device: MqttClient;
beforeAll(async () => {
  services = await Services.start({ LINGER_MS: '50' });
  device = await connectAsync(services.brokerUrl);
});
afterAll(async () => {
  await device.endAsync();
  await services.close();
});

type Fields = Record<string, unknown>;

const start = Date.now();
const range = `from=${start - 3_600_000}&to=${start + 3_600_000}`;

async function ask(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(services.urls.query + path);
  return (await answer.json()) as Record<string, unknown>;
}

async function readingsOf(id: string, query = ''): Promise<Fields[]> {
  const { items = [] } = await ask(`/v1/devices/${id}/readings?${range}&limit=1000${query}`);
  return (items as { fields: Fields }[]).map(({ fields }) => fields);
}

/** Publishes the messages one after the other, as a device does: the broker has them within a millisecond or two. */
async function publish(topic: string, payloads: readonly string[]): Promise<void> {
  await Promise.all(payloads.map((payload) => device.publishAsync(topic, payload, { qos: 1 })));
}

/** Resolves when the marker, which is published last, is stored. */
async function stored(id: string): Promise<void> {
  await publish(`engawa/${id}/readings`, ['{"marker":true}']);
  await until('the marker', async () => (await readingsOf(id, '&fields=marker')).length === 1);
}

async function sent(id: string, payloads: readonly string[]): Promise<Fields[]> {
  await publish(`engawa/${id}/readings`, payloads);
  await stored(id);
  return (await readingsOf(id)).filter((fields) => !('marker' in fields));
}

const repeat = (count: number, text: string) => Array.from({ length: count }, () => text);
const minuteAgo = () => new Date(Date.now() - 60_000).toISOString();
const wholeSecond = () => new Date(Math.floor(Date.now() / 1000 - 60) * 1000).toISOString();

describe('readings without a time', () => {
  it('are as many as deliveries, also where messages are equal', async () => {
    const press = '{"action":"single","battery":97}';
    const pressed = await sent('button', repeat(40, press));
    expect(pressed).toEqual(repeat(40, press).map((text) => JSON.parse(text) as Fields));
  });

  it('are as many as the elements of an array', async () => {
    expect(await sent('array', ['[{"x":1},{"x":1},{"x":1}]'])).toHaveLength(3);
  });

  it('are as many as a request over HTTP says', async () => {
    const url = `${services.urls.ingestion}/v1/readings`;
    const body = JSON.stringify(Array.from({ length: 3 }, () => ({ device: 'uploaded', x: 1 })));
    const headers = { 'content-type': 'application/json' };
    const answers = [1, 2].map(() => fetch(url, { method: 'POST', body, headers }));
    for (const answer of await Promise.all(answers)) {
      expect(await answer.json()).toMatchObject({ stored: 3 });
    }
    expect(await readingsOf('uploaded')).toHaveLength(6);
  });

  it('are in the order of receipt, on pages of any length and in both directions', async () => {
    const numbers = Array.from({ length: 30 }, (_, x) => ({ x: (x * 7) % 10 }));
    const shown = await sent('ordered', [JSON.stringify(numbers)]);
    expect(shown).toEqual(numbers);
    for (const order of ['asc', 'desc']) {
      const paged: Fields[] = [];
      const query = `${range}&limit=7&order=${order}&fields=x`;
      let page = await ask(`/v1/devices/ordered/readings?${query}`);
      for (;;) {
        paged.push(...(page['items'] as { fields: Fields }[]).map(({ fields }) => fields));
        const { cursor } = page as { cursor?: string };
        if (cursor === undefined) break;
        page = await ask(`/v1/devices/ordered/readings?${query}&cursor=${cursor}`);
      }
      expect(paged).toEqual(order === 'asc' ? numbers : numbers.toReversed());
    }
  });
});

describe('readings of one time', () => {
  it('end with the last received one, also where it was sent before', async () => {
    const ts = minuteAgo();
    for (const [id, states] of Object.entries({
      door: ['open', 'closed'],
      gate: ['closed', 'open'],
      plug: ['ON', 'OFF', 'ON'],
    })) {
      const payloads = states.map((contact) => JSON.stringify({ ts, contact }));
      const shown = await sent(id, payloads);
      expect(shown.at(-1)).toEqual({ contact: states.at(-1) });
      const { fields } = await ask(`/v1/devices/${id}/fields`);
      expect(fields).toContainEqual(
        expect.objectContaining({ name: 'contact', value: states.at(-1) }),
      );
    }
  });

  it('are in the order of receipt also in separate blocks', async () => {
    const ts = minuteAgo();
    const states = ['open', 'closed', 'open', 'closed', 'ajar'];
    for (const [index, contact] of states.entries()) {
      await publish('engawa/slow/readings', [JSON.stringify({ ts, contact, index })]);
      await until('it', async () => (await readingsOf('slow')).length === index + 1);
    }
    expect(await readingsOf('slow')).toEqual(states.map((contact, index) => ({ contact, index })));
  });

  it('give aggregates their first and last value in the order of receipt', async () => {
    const ts = wholeSecond();
    const power = [30, 10, 20].map((value) => JSON.stringify({ ts, power: value }));
    await sent('meter', power);
    const query = `from=${ts}&to=${new Date(Date.parse(ts) + 1000).toISOString()}`;
    const path = `/v1/devices/meter/aggregates?${query}&every=PT1M&fn=first,last,count&fields=power`;
    const { items } = await ask(path);
    expect(items).toMatchObject([{ fields: { power: { first: 30, last: 20, count: 3 } } }]);
  });
});

describe('readings with a time of their own', () => {
  it('are one where a publisher repeats a measurement', async () => {
    const message = JSON.stringify({ ts: wholeSecond(), temperature: 21.5 });
    expect(await sent('repeated', repeat(3, message))).toHaveLength(1);
  });

  it('are as many as events where the time has whole seconds', async () => {
    const message = JSON.stringify({ ts: wholeSecond(), action: 'single' });
    expect(await sent('remote', repeat(3, message))).toHaveLength(3);
  });
});
