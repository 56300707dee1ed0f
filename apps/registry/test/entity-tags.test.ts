import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { deviceKey, placementKey } from '@engawa/keys';
import { eventAttributes } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, minute, move } from './places.ts';
import { startRegistry } from './registry.ts';

const execute = promisify(execFile);

const registry = openBeforeAll(startRegistry);
beforeAll(async () => {
  await build(registry, 'house', ['hall', 'kitchen'], 'Our house');
  await registry.put(aDevice({ id: 'front' }), aDevice({ id: 'back' }));
  await move(registry, 'front', 'house', { room: 'hall', since: minute(0) });
});

/** With curl: Node's fetch adds `Cache-Control: no-cache` to a conditional request, and so never sees a 304. */
async function curl(path: string, headers: Record<string, string> = {}, ...more: string[]) {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await execute('curl', ['-si', ...given, ...more, registry.url + path]);
  const [top = '', ...rest] = stdout.split('\r\n\r\n');
  const valueOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(top)?.[1]?.trim();
  return {
    status: Number(top.split(' ')[1]),
    tag: valueOf('etag') ?? '',
    cacheControl: valueOf('cache-control'),
    vary: valueOf('vary'),
    body: rest.join(''),
  };
}

/** Asks again as a cache does that has the answer of before. */
const again = (path: string, tag: string, ...more: string[]) =>
  curl(path, { 'if-none-match': tag }, ...more);

const paths = ['/v1/devices/front', '/v1/places/house', '/v1/rooms/house/hall'];

describe('an answer that has not changed', () => {
  it.each(paths)('is not sent again: %s', async (path) => {
    const first = await curl(path);
    expect(first.tag).toMatch(/^"\d+-[0-9A-Z]{9}\.[\w-]{22}"$/);
    expect(first).toMatchObject({ status: 200, cacheControl: 'private, no-cache' });
    for (const tag of [first.tag, `W/${first.tag}`, `"other", ${first.tag}`, '*']) {
      const { status, body, ...headers } = await again(path, tag);
      expect([tag, status, body]).toEqual([tag, 304, '']);
      expect(headers).toMatchObject({ tag: first.tag, cacheControl: 'private, no-cache' });
      expect(headers.vary).toContain('Accept-Encoding');
    }
    expect(await again(path, '"other"')).toMatchObject({ status: 200, body: first.body });
  });
});

describe('an answer whose content has changed, though the version has not', () => {
  it('is sent again when a device has moved into the place and the room', async () => {
    const [house, hall] = await Promise.all(
      ['/v1/places/house', '/v1/rooms/house/hall'].map((path) => curl(path)),
    );
    await move(registry, 'back', 'house', { room: 'hall', since: minute(1) });
    expect(await again('/v1/places/house', house?.tag ?? '')).toMatchObject({ status: 200 });
    expect(await again('/v1/rooms/house/hall', hall?.tag ?? '')).toMatchObject({ status: 200 });
  });

  it('is sent again after an event at the place', async () => {
    const { tag } = await curl('/v1/places/house');
    const set = eventAttributes({
      time: Date.parse(minute(5)),
      fields: { contact: 'open' },
      receivedAt: 0,
    });
    await registry.table.update(placementKey('house', 'front'), { set });
    const next = await again('/v1/places/house', tag);
    expect(next).toMatchObject({ status: 200 });
    expect(next.body).toContain('"contact":"open"');
    expect(next.tag.split('.')[0]).toBe(tag.split('.')[0]);
  });

  it('is sent again when the device was seen', async () => {
    const { tag } = await curl('/v1/devices/front');
    await registry.table.update(deviceKey('front'), { set: { lastSeenAt: Date.parse(minute(9)) } });
    expect(await again('/v1/devices/front', tag)).toMatchObject({ status: 200 });
  });
});

describe('If-Match', () => {
  it('compares the version, not the body', async () => {
    const { tag } = await curl('/v1/places/house');
    await move(registry, 'back', 'house', { room: 'kitchen', since: minute(2) });
    const named = await rename('house', 'Home', tag);
    expect(named.status).toBe(200);
    expect(await rename('house', 'Late', tag)).toMatchObject({ status: 412 });
    expect(await rename('house', 'Home', named.headers.get('etag') ?? '')).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ['a list with the version in it', (version: number) => `"x", "${version}", "7777"`, 200],
    ['a list without it', () => '"7777", "7778"', 412],
    ['a weak tag, which never matches', (version: number) => `W/"${version}"`, 412],
    ['a weak tag beside a strong one', (version: number) => `W/"1", "${version}.abc-gzip"`, 200],
    ['a tag that nobody has given', () => '"something"', 412],
    ['the tag of nothing', () => '""', 412],
    ['no tag', (version: number) => String(version), 400],
    ['* and a tag', (version: number) => `*, "${version}"`, 400],
    [
      'more versions than an item has had',
      () => Array.from({ length: 11 }, (_, n) => `"${n + 100}"`).join(),
      400,
    ],
  ])('may be %s', async (_, tags, status) => {
    for (const [path, body] of [
      ['/v1/places/house', { name: 'x' }],
      ['/v1/rooms/house/hall', { name: 'x' }],
      ['/v1/devices/front', { name: 'x' }],
    ] as const) {
      for (const method of ['PATCH', 'PUT']) {
        const { version } = (await registry.ask(path)).body as { version: number };
        const headers = { 'if-match': tags(version) };
        const answer = await registry.ask(path, { method, headers, body });
        expect([path, method, answer.status]).toEqual([path, method, status]);
      }
    }
  });

  it('answers 404 rather than 412 for an unknown item', async () => {
    expect(await rename('nowhere', 'x', 'W/"1"')).toMatchObject({ status: 404 });
  });

  it('is evaluated by a DELETE', async () => {
    await build(registry, 'shed', []);
    const remove = (tag: string) =>
      registry.ask('/v1/places/shed', { method: 'DELETE', headers: { 'if-match': tag } });
    expect(await remove('W/"1"')).toMatchObject({ status: 412 });
    expect(await remove('"5", "1"')).toMatchObject({ status: 204 });
  });
});

describe('a compressed answer', () => {
  it('has its own ETag, with the same version and content hash', async () => {
    const many = Array.from({ length: 60 }, (_, index) => aDevice({ id: `lamp-${index}` }));
    await registry.put(...many);
    for (const { id } of many) await move(registry, id, 'house', { room: 'kitchen' });
    const path = '/v1/places/house';
    const plain = await curl(path);
    for (const coding of ['gzip', 'br']) {
      const packed = await curl(path, { 'accept-encoding': coding }, '-o', '/dev/null', '-D', '-');
      expect(packed.tag).toBe(plain.tag.replace(/"$/, `-${coding}"`));
      expect(await again(path, packed.tag)).toMatchObject({ status: 304 });
      expect(await again(path, packed.tag, '--compressed')).toMatchObject({ status: 304 });
      expect(await rename('house', 'Home', packed.tag)).toMatchObject({ status: 200 });
      const { tag } = await curl(path);
      plain.tag = tag;
    }
  });
});

function rename(place: string, name: string, ifMatch: string) {
  const headers = { 'if-match': ifMatch };
  return registry.ask(`/v1/places/${place}`, { method: 'PATCH', headers, body: { name } });
}
