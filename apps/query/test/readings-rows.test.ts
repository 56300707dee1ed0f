import { parseExactJson } from '@engawa/model';
import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Fields, Reading } from '@engawa/model';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const iso = (time: number) => new Date(time).toISOString();
const range = `from=${iso(start)}&to=${iso(start + 3_600_000)}`;
const ndjson = 'application/x-ndjson';
const csv = 'text/csv';

describe('readings as rows', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  /** More than there are on the largest page. */
  const readings: Reading[] = Array.from({ length: 1300 }, (_, index) =>
    aReading({ time: start + index * 1000, fields: { index, half: index / 2 } }),
  );
  const rows = readings.flatMap(({ time, fields }) =>
    ['a', 'b'].map((device) => ({ device, time: iso(time), fields })),
  );
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);

  beforeAll(async () => {
    await query.place({ id: 'a', blocks: packed(readings) });
    await query.place({ id: 'b', blocks: single(readings) });
    for (const device of ['a', 'b']) {
      await query.settle({ place: 'home', room: 'hall', device, since: 0 });
    }
  });

  it.each(['/v1/rooms/home/hall', '/v1/places/home'])('are all of %s, as NDJSON', async (owner) => {
    const { status, type, text } = await query.askFor(ndjson, `${owner}/readings?${range}`);
    expect({ status, type }).toEqual({ status: 200, type: ndjson });
    expect(linesOf(text)).toEqual(rows);
  });

  it('are all of a device, the newest first', async () => {
    const path = `/v1/devices/a/readings?${range}&order=desc&fields=index`;
    const { text } = await query.askFor(ndjson, path);
    expect(linesOf(text)).toEqual(
      readings.map(({ time }, index) => ({ time: iso(time), fields: { index } })).reverse(),
    );
  });

  it('have CSV columns for each field of the range where none are named', async () => {
    const late = aReading({ time: start + 1500 * 1000, fields: { 'a,b': true, index: 7 } });
    await query.place({ id: 'c', blocks: [...single(readings), [late]] });
    const { text } = await query.askFor(csv, `/v1/devices/c/readings?${range}`);
    const lines = text.split('\r\n');
    expect([lines[0], lines[1], lines.at(-2)]).toEqual([
      'time,"a,b",half,index',
      `${iso(start)},,0,0`,
      `${iso(late.time)},true,,7`,
    ]);
    const some = await query.askFor(csv, `/v1/devices/c/readings?${range}&limit=2`);
    expect(some.text.split('\r\n')[0]).toBe('time,half,index');
    const sums = `/v1/devices/c/aggregates?${range}&every=PT1H&fn=max,count`;
    expect((await query.askFor(csv, sums)).text.split('\r\n')[0]).toBe(
      'from,to,localFrom,incomplete,half.count,half.max,index.count,index.max',
    );
  });

  it('are limited, and continue after a page', async () => {
    const path = `/v1/rooms/home/hall/readings?${range}`;
    const { body } = await query.ask(`${path}&limit=7`);
    const { cursor = '' } = body as ReadingsPage;
    const some = await query.askFor(ndjson, `${path}&cursor=${cursor}&limit=5`);
    expect(linesOf(some.text)).toEqual(rows.slice(7, 12));
    const rest = await query.askFor(ndjson, `${path}&cursor=${cursor}`);
    expect(linesOf(rest.text)).toEqual(rows.slice(7));
  });

  it('have CSV columns for the requested fields', async () => {
    const text = '{"kWh":12345678901234567890.123,"name":"a,b","constructor":null}';
    const exact = aReading({ time: start, fields: parseExactJson(text) as Fields });
    const bare = aReading({ time: start + 1, fields: { kWh: 0.1 } });
    await query.place({ id: 'meter', blocks: single([exact, bare]) });
    await query.settle({ place: 'cellar', device: 'meter', since: 0 });
    const fields = 'name,kWh,constructor';
    const device = await query.askFor(csv, `/v1/devices/meter/readings?${range}&fields=${fields}`);
    expect({ status: device.status, type: device.type }).toEqual({ status: 200, type: csv });
    expect(device.text.split('\r\n')).toEqual([
      'time,constructor,kWh,name',
      `${iso(start)},,12345678901234567890.123,"a,b"`,
      `${iso(start + 1)},,0.1,`,
      '',
    ]);
    const place = await query.askFor(csv, `/v1/places/cellar/readings?${range}&fields=kWh`);
    expect(place.text.split('\r\n')).toEqual([
      'time,device,kWh',
      `${iso(start)},meter,12345678901234567890.123`,
      `${iso(start + 1)},meter,0.1`,
      '',
    ]);
  });

  it.each([
    [ndjson, '/v1/devices/nobody/readings', 404, 'There is no device \\"nobody\\".'],
    [csv, '/v1/places/nowhere/readings?fields=x', 404, 'There is no place \\"nowhere\\".'],
    [ndjson, `/v1/devices/a/readings?${range}&cursor=AAAA`, 400, 'cursor'],
    ['text/html', `/v1/devices/a/readings?${range}`, 406, 'not-acceptable'],
  ])('are a problem instead of rows: %s of %s', async (accept, path, status, words) => {
    const answer = await query.askFor(accept, path);
    expect(answer).toMatchObject({ status, type: 'application/problem+json' });
    expect(answer.text).toContain(words);
  });
});
