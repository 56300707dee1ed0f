import { parseExactJson } from '@engawa/model';
import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { Fields, Reading } from '@engawa/model';
import type { LatestPage, ReadingsPage } from './query-fixture.ts';

const maxBytes = 50_000;
/** The envelope of a page: its cursor, and the missing ids. */
const envelope = 1000;
const start = Date.UTC(2026, 10, 20, 9);
const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(start), to: iso(start + hour) };

/** Two of each moment: pages end within a moment, too. */
const readings: Reading[] = Array.from({ length: 60 }, (_, index) =>
  aReading({
    time: start + Math.floor(index / 2) * 1000,
    fields: { index, other: index, text: '報'.repeat(300 * (index % 5)) },
  }),
);
const shown = (of: readonly Reading[]) => of.map(({ fields }) => fields['index']);

const fixture = openBeforeAll(() =>
  QueryFixture.open({
    RESPONSE_BYTE_LIMIT: String(maxBytes),
    REQUEST_UNIT_LIMIT: '100',
  }),
);
beforeAll(async () => {
  for (const device of ['a', 'b', 'c', 'd']) {
    await fixture.place({ id: device, blocks: single(readings) });
    await fixture.settle({ place: 'home', device, since: 0 });
  }
});

/** All pages, of which none exceeds the limit. */
async function boundedPages<Page extends { cursor?: string }>(
  path: string,
  parameters: Record<string, string>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ ...parameters, ...(cursor && { cursor }) }).toString();
    const { text } = await fixture.askPlainly(`${path}${path.includes('?') ? '&' : '?'}${search}`);
    expect(Buffer.byteLength(text)).toBeLessThan(maxBytes + envelope);
    const page = JSON.parse(text) as Page;
    pages.push(page);
    ({ cursor } = page);
    expect(pages.length).toBeLessThan(200);
  } while (cursor !== undefined);
  return pages;
}

describe('a page of readings that would exceed RESPONSE_BYTE_LIMIT', () => {
  it.each(['asc', 'desc'])(
    'ends earlier, and all pages have each reading once: %s',
    async (order) => {
      for (const [path, devices] of [
        ['/v1/devices/a/readings', 1],
        ['/v1/places/home/readings', 4],
      ] as const) {
        const parameters = { ...range, order, limit: '1000', fields: 'index,text' };
        const pages = await boundedPages<ReadingsPage>(path, parameters);
        const small = await fixture.walkAll<ReadingsPage>(path, { ...parameters, limit: '9' });
        expect(pages.length).toBeGreaterThan(1);
        const items = pages.flatMap((page) => page.items);
        expect(items).toEqual(small.flatMap((page) => page.items));
        expect(items).toHaveLength(readings.length * devices);
      }
    },
  );
});

describe('the latest readings', () => {
  it.each(['/v1/latest?device=a&device=b&device=none&device=c&device=d', '/v1/places/home/latest'])(
    'of several devices come in pages that do not exceed RESPONSE_BYTE_LIMIT: %s',
    async (path) => {
      const pages = await boundedPages<LatestPage>(path, { readings: '15' });
      expect(pages.length).toBeGreaterThan(1);
      const items = pages.flatMap((page) => page.items);
      expect(items.map(({ device }) => device.id)).toEqual(['a', 'b', 'c', 'd']);
      for (const item of items) {
        expect(item.readings.map(({ fields }) => fields['index'])).toEqual(
          shown(readings.toReversed().slice(0, 15)),
        );
        expect(item).not.toHaveProperty('incomplete');
      }
      expect(pages.flatMap(({ missing = [] }) => missing)).toEqual(
        path.includes('none') ? ['none'] : [],
      );
    },
  );

  it('of several devices keep all digits', async () => {
    const fields = parseExactJson('{"kWh":12345678901234567890.123}') as Fields;
    await fixture.place({ id: 'exact', blocks: single([aReading({ time: start, fields })]) });
    const { text } = await fixture.askPlainly('/v1/latest?device=none&device=exact&device=a');
    expect(text).toContain('"fields":{"kWh":12345678901234567890.123}');
  });

  it.each(['/v1/devices/a/latest?limit=60', '/v1/latest?device=a&readings=60'])(
    'of a device are incomplete where they exceed it alone: %s',
    async (path) => {
      const [page] = await boundedPages<LatestPage>(path, {});
      const [device = page] = page?.items ?? [];
      const { readings: given, ...rest } = device as LatestPage['items'][number];
      expect(rest).toMatchObject({ incomplete: true });
      expect(given.length).toBeGreaterThan(10);
      const newest = readings.toReversed().slice(0, given.length);
      expect(given.map(({ fields }) => fields['index'])).toEqual(shown(newest));
    },
  );
});

describe('the last values of fields', () => {
  it('of several devices come in pages that do not exceed RESPONSE_BYTE_LIMIT', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `field-${index}`);
    const fields = Object.fromEntries(names.map((name, index) => [name, index]));
    const ids = Array.from({ length: 7 }, (_, index) => `wide-${index}`);
    for (const device of ids) {
      await fixture.place({ id: device, blocks: single([aReading({ time: start, fields })]) });
      await fixture.settle({ place: 'mill', device, since: 0 });
    }
    interface FieldsPage {
      items: { device: { id: string }; fields: { name: string }[] }[];
      cursor?: string;
    }
    const pages = await boundedPages<FieldsPage>('/v1/places/mill/fields', {
      from: iso(start),
    });
    expect(pages.length).toBeGreaterThan(2);
    const items = pages.flatMap((page) => page.items);
    expect(items.map(({ device }) => device.id)).toEqual(ids);
    for (const item of items) expect(item.fields).toHaveLength(names.length);
  });
});

describe('the fields of a device that exceed RESPONSE_BYTE_LIMIT alone', () => {
  const text = '\u0001'.repeat(400);
  const names = Array.from({ length: 60 }, (_, index) => `field-${100 + index}`);
  interface DevicePage {
    fields: { name: string; firstSeenAt: string }[];
    incomplete?: true;
    cursor?: string;
  }
  beforeAll(async () => {
    const fields = Object.fromEntries(names.map((name) => [name, text]));
    await fixture.place({ id: 'large', blocks: single([aReading({ time: start, fields })]) });
    await fixture.settle({ place: 'barn', device: 'large', since: 0 });
  });

  it.each<Record<string, string>>([{}, { at: iso(start) }, { fields: names.join(',') }])(
    'come in pages: %j',
    async (parameters) => {
      const path = '/v1/devices/large/fields';
      const pages = await boundedPages<DevicePage>(path, { from: iso(start), ...parameters });
      expect(pages.length).toBeGreaterThan(2);
      const fields = pages.flatMap((page) => page.fields);
      expect(fields.map(({ name }) => name)).toEqual(names);
      for (const { firstSeenAt } of fields) expect(firstSeenAt).toBe(iso(start));
    },
  );

  it('are incomplete in the list of a place', async () => {
    const path = '/v1/places/barn/fields';
    const [page] = await boundedPages<{ items: DevicePage[]; cursor?: string }>(path, {
      from: iso(start),
    });
    const [device] = page?.items ?? [];
    expect(device).toMatchObject({ incomplete: true });
    expect(device?.fields.length).toBeGreaterThan(10);
  });
});

describe('the raw items of a partition', () => {
  it.each(['table', 'gsi1', 'gsi2'])(
    'come in pages that do not exceed RESPONSE_BYTE_LIMIT: %s',
    async (index) => {
      const pk = `OTHER#${index}`;
      const keys = Array.from({ length: 40 }, (_, at) => `k${10 + at}`);
      // 13 bytes in DynamoDB's JSON for one of DynamoDB.
      const flags = (at: number) => Array.from({ length: at * 40 }, () => true);
      const items = keys.map((sk, at) => ({
        ...{ pk, sk, gsi1pk: pk, gsi1sk: 'same', gsi2pk: pk, gsi2sk: sk },
        ...(index !== 'gsi1' && { flags: flags(at) }),
        // The index has only some attributes.
        ...(index === 'gsi1' && { name: '\u0001'.repeat(at * 20) }),
      }));
      await fixture.putAll(items);
      for (const order of ['asc', 'desc']) {
        const pages = await boundedPages<{ items: { key: { sk: string } }[]; cursor?: string }>(
          '/v1/table/items',
          { pk, index, order },
        );
        expect(pages.length).toBeGreaterThan(2);
        const found = pages.flatMap((page) => page.items).map(({ key }) => key.sk);
        expect(found.toSorted()).toEqual(keys);
        expect(new Set(found).size).toBe(keys.length);
      }
    },
  );
});

describe('CSV without fields', () => {
  const path = `/v1/devices/long/readings?from=${iso(start)}&to=${iso(start + hour)}`;
  /** About 500 units, five times those of one request. */
  const long = Array.from({ length: 1000 }, (_, index) =>
    aReading({ time: start + index * 1000, fields: { index, text: 'x'.repeat(4000) } }),
  );
  beforeAll(() => fixture.place({ id: 'long', blocks: single(long) }));

  it('does not read a long range before it answers HEAD', async () => {
    const head = async () => {
      const answer = await fixture.head('text/csv', path);
      expect(answer).toEqual({ status: 200, type: 'text/csv' });
    };
    expect(await fixture.requestsOf('Query', head)).toBe(1);
    const missing = await fixture.head('text/csv', path.replace('long', 'none'));
    expect(missing.status).toBe(404);
  });

  it('is refused for a range that exceeds the limits of one request, and complete with fields', async () => {
    const refused = await fixture.askFor('text/csv', path);
    expect(refused).toMatchObject({ status: 400, type: 'application/problem+json' });
    expect(refused.text).toContain('query.fields must name fields for text/csv');
    const { status, text } = await fixture.askFor('text/csv', `${path}&fields=index`);
    expect(status).toBe(200);
    expect(text.trim().split('\r\n')).toHaveLength(1 + long.length);
  });
});
