import { deadLetterPartition, deviceKey } from '@engawa/keys';
import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

interface DeadLetterResponse {
  id: string;
  receivedAt: string;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const today = () => new Date().toISOString().slice(0, 10);

/** A dead letter of a message, received while new devices are not admitted. */
async function keep(payload: string | Buffer, topic = 'engawa/stranger/readings') {
  await fixture.start({ DEVICE_ADMISSION: 'closed' });
  await fixture.publish(topic, payload);
  await fixture.settled(1);
  const { items } = (await fixture.ask('/v1/deadLetters')).body as { items: DeadLetterResponse[] };
  return items[0] ?? { id: '', receivedAt: '' };
}

async function restart(environment: Record<string, string> = {}): Promise<void> {
  await fixture.service?.close();
  await fixture.start(environment);
}

const preview = (id: string) => fixture.ask(`/v1/deadLetters/${id}/preview`);

/** Everything in the table that a replay would change. */
async function stored(): Promise<unknown[]> {
  const letters = await fixture.items(deadLetterPartition(today(), 0));
  const device = await fixture.table.get(deviceKey('stranger'));
  return [...letters, device, ...(await fixture.readingsOf('stranger'))];
}

describe('GET /v1/deadLetters/{id}/preview', () => {
  it('has the readings that a replay stores, and writes nothing', async () => {
    const ts = ago(5);
    const { id, receivedAt } = await keep(`[{"ts":"${ts}","x":12345678901234567890.5},{"y":"a"}]`);
    await restart();
    const before = await stored();
    const { status, body } = await preview(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: 'stored',
      stored: 2,
      readings: [
        { device: 'stranger', time: ts },
        { device: 'stranger', time: receivedAt, fields: { y: 'a' } },
      ],
    });
    expect(await stored()).toEqual(before);
    expect(await fixture.metric('engawa_ingest_readings_total')).toBe(0);
    await fixture.post(`/v1/deadLetters/${id}/replay`);
    const times = (await fixture.readingsOf('stranger')).map(({ time }) => time);
    expect(times.toSorted()).toEqual([Date.parse(ts), Date.parse(receivedAt)].toSorted());
    expect(await preview(id)).toMatchObject({ status: 404 });
  });

  it('has the reason that the dead letter would have after a replay', async () => {
    const { id } = await keep(`[{"ts":"${ago(5)}","x":1},{},{"x":3}]`);
    expect((await preview(id)).body).toMatchObject({ outcome: 'refused', reason: 'not_admitted' });
    await restart();
    const { body } = await preview(id);
    expect(body).toMatchObject({
      ...{ outcome: 'refused', reason: 'bad_field', indexes: [1], refusedCount: 1, stored: 2 },
      detail: 'reading 1: the reading has no field',
    });
    await fixture.post(`/v1/deadLetters/${id}/replay`);
    const { reason, detail, indexes } = body as Record<string, unknown>;
    expect((await fixture.ask(`/v1/deadLetters/${id}`)).body).toMatchObject({
      ...{ reason, detail, indexes },
    });
  });

  it('admits a device that is registered, while new devices are not admitted', async () => {
    const { id } = await keep('{"x":1}');
    await restart();
    await fixture.post('/v1/readings', '{"device":"stranger","x":2}');
    await restart({ DEVICE_ADMISSION: 'closed' });
    expect((await preview(id)).body).toMatchObject({ outcome: 'stored', stored: 1 });
  });

  it('names a payload that cannot be decoded, and a topic without a decoder', async () => {
    const { id } = await keep('no JSON');
    expect((await preview(id)).body).toMatchObject({
      ...{ outcome: 'refused', reason: 'malformed', readings: [], stored: 0, refusedCount: 1 },
    });
    await restart({ DECODERS: 'tasmota' });
    expect((await preview(id)).body).toMatchObject({ reason: 'no_decoder' });
    expect(await preview('x')).toMatchObject({ status: 400 });
    expect(await preview('01J00000000000000000000000')).toMatchObject({ status: 404 });
  });

  it('shows a thousand readings of a long message', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => ({ ts: ago(index), x: index }));
    const { id } = await keep(JSON.stringify(many));
    await restart();
    const { readings, stored: count } = (await preview(id)).body as Record<string, unknown[]>;
    expect([readings?.length, count]).toEqual([1000, 1500]);
  });
});
