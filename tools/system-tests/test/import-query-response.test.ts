import { Services } from './services.ts';

const ndjson = 'application/x-ndjson';
const start = Math.floor(Date.now() / 1000) * 1000 - 600_000;
const iso = (time: number) => new Date(time).toISOString();
/** A reading without a time is stored at the time of its receipt. */
const range = `from=${iso(start)}&to=${iso(start + 3_600_000)}`;

/** Numbers with many digits, names with dots, and fields named like the keys of a reading. */
const lines = [
  `{"device":"a","ts":"${iso(start)}","kWh":12345678901234567890.123,"AM2301":{"DewPoint":4.9}}`,
  `{"device":"a","ts":"${iso(start + 1)}","time":5,"device":"a","fields":{"x":null},"on":true}`,
  `{"device":"b","ts":"${iso(start + 1500)}","timestamp":"noon","text":"a,b","small":1e-100}`,
];

describe('the response of the query service', () => {
  let services: Services;
  beforeAll(async () => {
    services = await Services.start();
    await send('PUT', `${services.urls.registry}/v1/places/home`, '{"name":"Home"}');
    await send('PUT', `${services.urls.registry}/v1/rooms/home/hall`, '{"name":"Hall"}');
    await post('', lines.join('\n'));
    for (const device of ['a', 'b']) {
      const url = `${services.urls.registry}/v1/places/home/devices/${device}`;
      await send('PUT', url, `{"room":"hall","since":"${iso(start - 1000)}"}`);
    }
  });
  afterAll(() => services.close());

  async function send(method: string, url: string, body: string, type = 'application/json') {
    const answer = await fetch(url, { method, body, headers: { 'content-type': type } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text;
  }

  const post = async (query: string, body: string, type = ndjson) =>
    JSON.parse(
      await send('POST', `${services.urls.ingestion}/v1/readings${query}`, body, type),
    ) as {
      stored: number;
      refused: unknown[];
    };

  async function read(path: string, type = ndjson, more = ''): Promise<string> {
    const url = `${services.urls.query}/v1/${path}/readings?${range}${more}`;
    const answer = await fetch(url, { headers: { accept: type } });
    return answer.text();
  }

  it('of a device, posted to another device, gives it the same readings', async () => {
    const text = await read('devices/a');
    expect(text).toContain('12345678901234567890.123');
    expect(await post('?device=copy', text)).toMatchObject({ stored: 2, refused: [] });
    expect(await read('devices/copy')).toBe(text);
  });

  it('of a room, posted as it is, changes nothing', async () => {
    const text = await read('rooms/home/hall');
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(await post('', text)).toMatchObject({ stored: 3, refused: [] });
    expect(await read('rooms/home/hall')).toBe(text);
  });

  it('of a room, posted to one device, gives it all of the readings', async () => {
    const text = await read('rooms/home/hall');
    expect(await post('?device=both', text)).toMatchObject({ stored: 3, refused: [] });
    expect(await read('devices/both')).toBe(text.replaceAll(/"device":"[ab]",(?="time")/g, ''));
  });

  it('as a page of JSON, posted as the array of its readings, changes nothing', async () => {
    const page = await read('rooms/home/hall', 'application/json');
    const readings = page.slice(page.indexOf('['), page.lastIndexOf(']') + 1);
    expect(await post('', readings, 'application/json')).toMatchObject({ stored: 3, refused: [] });
    expect(await read('rooms/home/hall', 'application/json')).toBe(page);
  });

  it('as a whole page of JSON gives the same readings, to one device and to each of its own', async () => {
    const page = await read('rooms/home/hall', 'application/json');
    expect(await post('', page, 'application/json')).toMatchObject({ stored: 3, refused: [] });
    expect(await read('rooms/home/hall', 'application/json')).toBe(page);
    const own = await read('devices/a', 'application/json');
    expect(await post('?device=page', own, 'application/json')).toMatchObject({ stored: 2 });
    expect(await read('devices/page', 'application/json')).toBe(own);
  });

  it('as a resumable export gives the same readings, without its cursors', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => `{"ts":${start + 2000 + n},"n":${n}}`);
    await post('?device=many', many.join('\n'));
    const text = await read('devices/many', ndjson, '&resumable=true');
    expect(text).toContain('"cursor":');
    expect(await post('?device=again', text)).toMatchObject({ stored: 1500, refused: [] });
    expect(await read('devices/again')).toBe(await read('devices/many'));
  });
});
