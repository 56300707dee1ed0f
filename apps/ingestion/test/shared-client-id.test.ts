import { describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { RunningService } from '@engawa/service';

type Service = RunningService<unknown>;

let fixture: IngestionFixture;
let first: Service | undefined;
beforeEach(async () => {
  fixture = await IngestionFixture.open();
});
afterEach(async () => {
  await first?.close();
  await fixture.close();
});

const words = 'another client uses this MQTT_CLIENT_ID (ingestion-0)';

function reasonOf({ context }: Service): string {
  const unmet = context.readiness.unavailableReasons();
  return unmet.find(({ name }) => name === 'clientId')?.reason ?? '';
}

async function takeoversOf({ context }: Service): Promise<number> {
  const metric = await context.registry.getSingleMetric('engawa_mqtt_takeovers_total')?.get();
  return metric?.values[0]?.value ?? 0;
}

/** Two processes take the session from each other: each says so, and a message is stored once. */
async function expectBothNamed(settings: Record<string, string>): Promise<void> {
  first = await fixture.start(settings);
  const both = [first, await fixture.launch(settings)];
  const sum = async () => {
    const counts = await Promise.all(both.map(takeoversOf));
    return counts.reduce((all, count) => all + count, 0);
  };
  const named = () => both.every((service) => reasonOf(service).includes(words));
  await until('both name the cause', named, { progress: sum });
  for (const service of both) expect(await takeoversOf(service)).toBeGreaterThan(0);
  expect(fixture.logged.some((line) => line.includes(words))).toBe(true);
}

describe('two processes with one MQTT_CLIENT_ID', () => {
  it('are named over MQTT 3.1.1, and store a message once', async () => {
    await expectBothNamed({});
    await fixture.publish('engawa/meter/readings', '{"x":1}');
    await until('the reading', async () => (await fixture.readingsOf('meter')).length > 0);
    expect(await fixture.readingsOf('meter')).toHaveLength(1);
  });
});

// The embedded broker speaks MQTT 3.1.1 only.
describeWithMosquitto('two processes with one MQTT_CLIENT_ID at Mosquitto', () => {
  it('are named over MQTT 5, where the broker gives the reason', async () => {
    const broker = await startMosquitto();
    try {
      await expectBothNamed({ MQTT_URL: broker.url, MQTT_VERSION: '5' });
    } finally {
      await first?.close();
      first = undefined;
      await fixture.service?.close();
      await broker.close();
    }
  });
});
