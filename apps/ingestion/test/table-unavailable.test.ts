import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeOnEmbedded, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture, restarts } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const ndjson = 'application/x-ndjson';
const minute = 60_000;
const readingsPerChunk = 100;
const known = (time: number) => JSON.stringify({ device: 'known', ts: time, x: 1 });
const unavailable = { status: 503, body: { type: '/problems/table-unavailable' } };

describeOnEmbedded(restarts, 'readings over HTTP while the table is unavailable', () => {
  it('are refused from the beginning of a start that waits for the table', async () => {
    await fixture.stopTable();
    const starting = fixture.start();
    const api = await until('the API', () => {
      try {
        return fixture.api;
      } catch {
        return undefined;
      }
    });
    expect(api).toContain('127.0.0.1');
    expect(await fixture.post('/v1/readings', known(Date.now()))).toMatchObject(unavailable);
    expect(await fixture.post(`/v1/deadLetters/${'0'.repeat(26)}/replay`)).toMatchObject(
      unavailable,
    );
    await fixture.restartTable();
    await starting;
    expect(await fixture.post('/v1/readings', known(Date.now()))).toMatchObject({ status: 202 });
  });

  it('are stored after an outage of the table during the load of the device list', async () => {
    const proxy = await fixture.openProxy();
    let cut = 0;
    proxy.fateOf = ({ operation, body }) => {
      if (operation !== 'Query' || !body.includes('SEEN#DEVICE') || cut >= 10) return 'answered';
      cut += 1;
      return 'cut';
    };
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    expect(cut).toBe(10);
    expect(await fixture.post('/v1/readings', known(Date.now()))).toMatchObject({ status: 202 });
  });

  it('get a response within the timeout, at once if the table is known to be unavailable, and are stored once', async () => {
    await fixture.start();
    const time = Date.now() - minute;
    await fixture.post('/v1/readings', known(time - minute));
    await fixture.stopTable();

    const late = await fixture.post('/v1/readings', known(time));
    expect(late.status).toBe(503);
    expect(late.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((late.body as { detail: string }).detail).toContain('Send the whole request again');
    await until('an unready service', () =>
      fixture.service?.context.readiness.unavailableReasons().some(({ name }) => name === 'table'),
    );
    expect(await fixture.post('/v1/readings', known(time))).toMatchObject(unavailable);

    await fixture.restartTable();
    await until('it to be taken', async () => {
      return (await fixture.post('/v1/readings', known(time))).status === 202;
    });
    expect(await fixture.readingsOf('known')).toHaveLength(2);
  });

  it('are held in a limited number, and the rest waits at the client', async () => {
    await fixture.start();
    await fixture.post('/v1/readings', known(Date.now() - minute));
    await fixture.stopTable();
    const start = Date.now() - 90_000 * 1000;
    let sent = 0;
    // Ten bodies of nearly the maximum size; unread parts stay in `chunks`.
    const bodies = Array.from({ length: 10 }, (_, body) => {
      const reading = (index: number) =>
        `{"device":"known","ts":${start + index * 1000},"note":"${'x'.repeat(80)}","x":${body}}\n`;
      function* chunks() {
        for (let index = 0; index < 60_000; index += readingsPerChunk) {
          sent += readingsPerChunk;
          yield Array.from({ length: readingsPerChunk }, (_, place) => reading(index + place)).join(
            '',
          );
        }
      }
      return fixture.ask('/v1/readings', {
        method: 'POST',
        headers: { 'content-type': ndjson },
        body: ReadableStream.from(textBytes(chunks())),
        duplex: 'half',
      });
    });
    const answers = await Promise.all(bodies);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    // The service read the window and a batch per request. The kernel buffers up to 10 MB per connection.
    expect(sent).toBeLessThan(600_000);
    await fixture.restartTable();
    await until('the accepted readings', async () => {
      const stored = await fixture.metric('engawa_ingest_http_readings_total');
      return stored === 2001;
    });
  });

  it('get a response when the service closes meanwhile', async () => {
    await fixture.start();
    await fixture.post('/v1/readings', known(Date.now() - minute));
    const attempts = () =>
      fixture.metric('engawa_table_attempts_total', { operation: 'BatchWriteItem' });
    const before = await attempts();
    await fixture.stopTable();
    const answer = fixture.post('/v1/readings', known(Date.now()));
    await until('an attempt to store it', async () => (await attempts()) > before);
    await fixture.service?.close();
    expect(await answer).toMatchObject({
      status: 503,
      body: { type: '/problems/service-closing' },
    });
    await fixture.restartTable();
  });
});

it('readings over HTTP are stored even if the client disconnects', async () => {
  await fixture.start();
  const url = `${fixture.api}/v1/readings`;
  const client = request(url, { method: 'POST', headers: { 'content-type': ndjson } });
  client.on('error', () => undefined);
  for (let index = 0; index < 600; index++) client.write(`${known(Date.now() - index * 1000)}\n`);
  await until('the first of them', async () => (await fixture.readingsOf('known')).length >= 500);
  client.destroy();
  await until('the end of the request', async () => {
    const name = 'http_server_request_duration_seconds';
    return (await fixture.metric(name, { status: '499' })) > 0;
  });
  expect(await fixture.readingsOf('known')).toHaveLength(500);
});

/** The clients share the process of the service, and each gives it a turn after a chunk: else they would seem slow. */
async function* textBytes(texts: Iterable<string>) {
  for (const text of texts) {
    yield Buffer.from(text);
    await nextTurn();
  }
}
