import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

interface DevicePage {
  items: { id: string; name: string }[];
  cursor?: string;
}

/**
 * In the order in which they belong: by the UTF-8 bytes of the collated name. JavaScript's order
 * has 😀 before U+E000.
 */
const names = [
  'ba#ck',
  'Back door',
  'Kitchen 2',
  'living room',
  'ＬＩＶＩＮＧ ROOM 2',
  'éclair',
  'サーモ 1',
  'ｻｰﾓ 2',
  '居間',
  '\ue000',
  '\ufffd',
  '😀',
  '🚪',
];

describe('GET /v1/devices', () => {
  const registry = openBeforeAll(startRegistry);
  beforeAll(() =>
    registry.put(...names.map((name, index) => aDevice({ id: `device-${99 - index}`, name }))),
  );

  function ask(parameters: Record<string, string>): Promise<TestResponse> {
    return registry.ask(`/v1/devices?${new URLSearchParams(parameters).toString()}`);
  }

  async function list(parameters: Record<string, string>): Promise<DevicePage> {
    const answer = await ask(parameters);
    expect(answer.status).toBe(200);
    return answer.body as DevicePage;
  }

  /** All pages, from the first to the last. */
  async function walk(parameters: Record<string, string>): Promise<DevicePage[]> {
    const pages = [await list(parameters)];
    for (let cursor = pages[0]?.cursor; cursor !== undefined; cursor = pages.at(-1)?.cursor) {
      pages.push(await list({ ...parameters, cursor }));
    }
    return pages;
  }

  function namesOf(pages: DevicePage[]): string[] {
    return pages.flatMap(({ items }) => items.map(({ name }) => name));
  }

  it('lists the devices by name, for one Query', async () => {
    const cost = await registry.costOf(async () => {
      const page = await list({});
      expect(namesOf([page])).toEqual(names);
      expect(page).not.toHaveProperty('cursor');
      expect(page.items[0]).toEqual({
        id: 'device-99',
        name: 'ba#ck',
        kind: 'climate',
        status: 'active',
        registeredAt: '2026-11-01T00:00:00.000Z',
      });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each([
    ['ｻｰﾓ', ['サーモ 1', 'ｻｰﾓ 2']],
    ['サーモ', ['サーモ 1', 'ｻｰﾓ 2']],
    ['Living', ['living room', 'ＬＩＶＩＮＧ ROOM 2']],
    ['BA', ['ba#ck', 'Back door']],
    ['ba#', ['ba#ck']],
    ['E\u0301', ['éclair']],
    ['😀', ['😀']],
    ['attic', []],
  ])('finds what begins with %s, ignoring case and width', async (namePrefix, found) => {
    expect(namesOf([await list({ namePrefix })])).toEqual(found);
  });

  it.each([1, 2, 3])('gives each device once in pages of %d, each for one Query', async (limit) => {
    let pages: DevicePage[] = [];
    const cost = await registry.costOf(async () => {
      pages = await walk({ limit: String(limit) });
    });
    expect(namesOf(pages)).toEqual(names);
    expect(
      pages
        .map(({ items }) => items.length)
        .slice(0, -1)
        .every((size) => size === limit),
    ).toBe(true);
    expect(cost).toEqual({ Query: Math.ceil(names.length / limit) });
  });

  it('pages through a prefix', async () => {
    const pages = await walk({ namePrefix: 'living', limit: '1' });
    expect(pages.map(({ items }) => items.length)).toEqual([1, 1]);
    expect(namesOf(pages)).toEqual(['living room', 'ＬＩＶＩＮＧ ROOM 2']);
  });

  it('continues at its position although that device was renamed', async () => {
    await registry.put(...['p1', 'p2', 'p3'].map((id) => aDevice({ id, name: `walk ${id}` })));
    const { cursor = '' } = await list({ namePrefix: 'walk', limit: '2' });
    await registry.ask('/v1/devices/p2', { method: 'PATCH', body: { name: 'walk p0' } });
    expect(namesOf([await list({ namePrefix: 'walk', cursor })])).toEqual(['walk p3']);
  });

  it('takes a cursor with another limit and another spelling of the same prefix', async () => {
    const { cursor = '' } = await list({ namePrefix: 'living', limit: '1' });
    const page = await list({ namePrefix: 'ＬＩＶＩＮＧ', limit: '7', cursor });
    expect(namesOf([page])).toEqual(['ＬＩＶＩＮＧ ROOM 2']);
  });

  it('refuses a cursor that was changed in any character', async () => {
    const { cursor = '' } = await list({ limit: '1' });
    for (const index of [0, Math.floor(cursor.length / 2), cursor.length - 1]) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(await refusal({ limit: '1', cursor: changed })).toContain('invalid-cursor');
    }
  });

  it('rejects a cursor of another request', async () => {
    const { cursor = '' } = await list({ namePrefix: 'living', limit: '1' });
    expect(await refusal({ limit: '1', cursor })).toContain('invalid-cursor');
    expect(await refusal({ namePrefix: 'liv', limit: '1', cursor })).toContain('invalid-cursor');
  });

  async function refusal(parameters: Record<string, string>): Promise<string> {
    const { status, headers, body } = await ask(parameters);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/problem+json');
    return (body as { type: string }).type;
  }

  it.each([
    ['limit', '0', 'must be at least 1'],
    ['limit', '1001', 'must be at most 1000'],
    ['name', 'x', expect.stringContaining('is unknown')],
    ['namePrefix', '', 'must not be empty'],
    ['namePrefix', 'x'.repeat(257), 'must have at most 256 characters'],
    ['namePrefix', '\ufdfa'.repeat(256), expect.stringContaining('at most 639 bytes')],
  ])('refuses a wrong %s (case %#)', async (name, value, message: unknown) => {
    const { status, body } = await ask({ [name]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: `query.${name}`, message }] });
  });
});
