import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

describe('PATCH /v1/devices/{id}', () => {
  const registry = openBeforeAll(startRegistry);

  function rename(id: string, name: unknown, ifMatch?: string): Promise<TestResponse> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return registry.ask(`/v1/devices/${id}`, { method: 'PATCH', headers, body: { name } });
  }

  it('changes the name, re-sorts the device at once and leaves the rest as it was, for one UpdateItem', async () => {
    await registry.put(
      aDevice({ id: 'sorted-1', name: 'sorted a' }),
      aDevice({ id: 'sorted-2', name: 'sorted b' }),
    );
    const before = await registry.ask('/v1/devices/sorted-1');
    const cost = await registry.costOf(async () => {
      const answer = await rename('sorted-1', 'Sorted C');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toMatch(/^"2-[0-9A-Z]{9}"$/);
      expect(answer.body).toEqual({ ...(before.body as object), name: 'Sorted C', version: 2 });
    });
    expect(cost).toEqual({ UpdateItem: 1 });
    const { body } = await registry.ask('/v1/devices?namePrefix=sorted');
    expect(body).toMatchObject({
      items: [{ id: 'sorted-2' }, { id: 'sorted-1', name: 'Sorted C' }],
    });
    expect((await registry.ask('/v1/devices/sorted-1')).headers.get('etag')).toMatch(
      /^"2-[0-9A-Z]{9}\.[\w-]{22}"$/,
    );
  });

  it('lets one of two writers of the same version succeed', async () => {
    await registry.put(aDevice({ id: 'contested', version: 3 }));
    const answers = await Promise.all([
      rename('contested', 'mine', '"3"'),
      rename('contested', 'yours', '"3"'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    const loser = answers.find(({ status }) => status === 412);
    expect(loser?.body).toMatchObject({ detail: 'The device "contested" has version 4 now.' });
    expect((await registry.ask('/v1/devices/contested')).body).toEqual(winner?.body);
  });

  it('counts every change without If-Match', async () => {
    await registry.put(aDevice({ id: 'free', version: 1 }));
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => rename('free', name, name === 'one' ? '*' : undefined)));
    expect((await registry.ask('/v1/devices/free')).body).toMatchObject({ version: 5 });
  });

  it.each([undefined, '"1"'])('creates no device with If-Match %s', async (ifMatch) => {
    expect(await rename('nobody', 'Nobody', ifMatch)).toMatchObject({ status: 404 });
    expect(await registry.ask('/v1/devices/nobody')).toMatchObject({ status: 404 });
  });

  it.each([
    ['accent', 'Cafe\u0301', 'café'],
    // NFC of this variant of 神, which is in names of people, is another character.
    ['variant', '\ufa19谷', '神谷'],
  ])('keeps the characters that were written: %s', async (id, name, prefix) => {
    await registry.put(aDevice({ id }));
    expect((await rename(id, name)).body).toMatchObject({ name });
    expect((await registry.ask(`/v1/devices/${id}`)).body).toMatchObject({ name });
    const list = `/v1/devices?namePrefix=${encodeURIComponent(prefix)}`;
    expect((await registry.ask(list)).body).toMatchObject({ items: [{ id, name }] });
  });

  it.each([
    ['', 'must not be empty'],
    [' \u3000', 'must not be only white space'],
    ['a\u0000b', 'must not have control characters'],
    ['\ud800', 'must not have half of a surrogate pair'],
    ['x'.repeat(257), 'must have at most 256 characters'],
    [7, 'must be a string'],
  ])('refuses the name %j', async (name, message) => {
    const { status, body } = await rename('climate-1', name);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: expect.arrayContaining([{ path: 'body.name', message }]) as unknown,
    });
  });

  it('refuses fields that it does not know', async () => {
    const { status, body } = await registry.ask('/v1/devices/climate-1', {
      method: 'PATCH',
      body: { name: 'x', place: 'home' },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: 'body.place' }] });
  });

  it.each(['3', '"3', 'x'])('refuses If-Match: %s', async (ifMatch) => {
    const { status, body } = await rename('climate-1', 'x', ifMatch);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [
        {
          path: expect.stringContaining('if-match') as string,
          message: expect.stringMatching(/such as "3-[0-9A-Z]{26}"$/) as string,
        },
      ],
    });
  });
});
