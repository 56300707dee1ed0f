import { announcedSeed, openBeforeAll, randomFrom } from '@engawa/testing';
import { Services } from '../services.ts';
import { csv, cutExport, ndjson } from './cut-export.ts';

const rows = 3500;
const start = Math.floor(Date.now() / 60_000) * 60_000 - 7_200_000;
const iso = (time: number) => new Date(time).toISOString();
const numbers = Array.from({ length: rows }, (_, index) => index);
const numbered = (index: number) => String(index).padStart(4, '0');

const type = {
  attributes: [{ name: 'title', kind: 'text' }],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'title' }] }],
};

// The limit is low enough for pages of all lengths: a page ends at this cost.
const services = openBeforeAll(() => Services.start({ REQUEST_UNIT_LIMIT: '20' }));
beforeAll(async () => {
  const { ingestion, registry, catalog } = services.urls;
  await post(
    `${ingestion}/v1/readings`,
    numbers.map((index) => ({
      device: index % 2 === 0 ? 'even' : 'odd',
      ts: iso(start + Math.floor(index / 3) * 1000),
      index,
      level: `=${index % 7}`,
    })),
  );
  await send('PUT', `${registry}/v1/places/home`, { name: 'Home' });
  const since = iso(start - 1000);
  for (const id of ['even', 'odd']) {
    await send('PUT', `${registry}/v1/places/home/devices/${id}`, { since });
  }
  const lamps = numbers.map((index) => ({ id: `lamp-${numbered(index)}` }));
  await post(`${registry}/v1/devices`, lamps);
  await send('PUT', `${catalog}/v1/types/Song`, type);
  const songs = numbers.map((index) => ({
    type: 'Song',
    id: numbered(index),
    attributes: { title: 'Heroes' },
  }));
  await post(`${catalog}/v1/entities`, songs);
});

/** Things in numbers, as NDJSON. */
const post = (url: string, lines: readonly object[]) =>
  send('POST', url, lines.map((line) => JSON.stringify(line)).join('\n'), ndjson);

async function send(
  method: string,
  url: string,
  given: object | string,
  type = 'application/json',
) {
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  const answer = await fetch(url, { method, body, headers: { 'content-type': type } });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
}

async function uncut(url: string, accept: string): Promise<string[]> {
  const text = await (await fetch(url, { headers: { accept } })).text();
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return accept === csv ? lines.slice(1) : lines;
}

const range = `from=${start}&to=${start + 3_600_000}`;
const day = `from=${start - 86_400_000}&to=${start + 3_600_000}`;

describe('an interrupted export', () => {
  it.each([
    ['query', `/v1/devices/even/readings?${range}`, ndjson, rows / 2],
    ['query', `/v1/places/home/readings?${range}`, ndjson, rows],
    ['query', `/v1/places/home/readings?${range}&order=desc`, csv, rows],
    ['query', `/v1/places/home/aggregates?every=PT1M&${day}&fn=max`, csv, 1500],
    ['registry', '/v1/devices?namePrefix=lamp', ndjson, rows],
    ['registry', '/v1/devices?order=lastSeen', csv, rows + 2],
    ['catalog', '/v1/entities/Song?whole=true', ndjson, rows],
    ['catalog', '/v1/search/Song/byTitle?eq=Heroes', csv, rows],
  ] as const)(
    'of %s%s in %s returns each row once after resuming',
    async (service, path, accept, count) => {
      const url = services.urls[service] + path;
      const whole = await uncut(url, accept);
      expect(whole).toHaveLength(count);
      const random = randomFrom(announcedSeed(path));
      const longest = whole.join('\n').length;
      const resumed = await cutExport(url, { accept, cuts: 8, longest, random });
      expect(resumed.rows).toEqual(whole);
      expect(resumed.transfers).toBeGreaterThan(1);
    },
  );

  it('continues in its original range, regardless of newer readings', async () => {
    const url = `${services.urls.query}/v1/places/home/readings?from=${start}`;
    const whole = await uncut(url, ndjson);
    const between = () =>
      post(`${services.urls.ingestion}/v1/readings`, [
        { device: 'even', ts: iso(Date.now()), late: 1 },
      ]);
    const cuts = { accept: ndjson, cuts: 2, longest: 250_000, random: () => 0.7, between };
    const resumed = await cutExport(url, cuts);
    expect(resumed).toEqual({ rows: whole, transfers: 3 });
    expect(await uncut(url, ndjson)).toHaveLength(rows + 2);
  });
});
