import { openBeforeAll } from '@engawa/testing';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { startSample, until } from './sample-app.ts';

describe('an app', () => {
  const sample = openBeforeAll(startSample);
  const get = (path: string, init?: RequestInit) => fetch(sample.url + path, init);

  it('returns exact numbers and ISO times', async () => {
    const answer = await get('/v1/devices/thermo-1');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-own')).toBe('yes');
    expect(await answer.text()).toBe(
      '{"id":"thermo-1","value":0.12345678901234567890123456789,"seen":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it.each(['a/b', '居間', 'a b+c?d#e', '%', '\u0000', 'constructor', '__proto__'])(
    'accepts %j as a device id',
    async (id) => {
      const answer = await get(`/v1/devices/${encodeURIComponent(id)}`);
      expect(await answer.json()).toMatchObject({ id });
    },
  );

  it('adds defaults of the query', async () => {
    expect(await (await get('/v1/devices')).json()).toEqual({ limit: 100, devices: [] });
    expect(await (await get('/v1/devices?limit=7')).json()).toMatchObject({ limit: 7 });
  });

  it('reads a body, and returns none where none is declared', async () => {
    const rename = (name: string) =>
      get('/v1/devices/a', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    const contract = await sample.contract();
    expect(await expectResponse(contract, await rename('玄関'), 'patch')).toEqual({ name: '玄関' });
    expect(await expectResponse(contract, await rename('same'), 'patch')).toBeUndefined();
  });

  it('responds to HEAD without a body', async () => {
    const answer = await get('/v1/devices/a', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('keeps a well-formed request id, and replaces any other', async () => {
    const idOf = async (given: string) =>
      (await get('/v1/devices', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idOf('Root=1-67891233:abc')).toBe('Root=1-67891233:abc');
    for (const bad of ['a b', 'x'.repeat(129), '"quoted"', '{}']) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('hides Express, and sets security headers', async () => {
    const { headers } = await get('/v1/devices');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });

  it('counts by template and status, and unknown routes under one label', async () => {
    await get('/v1/devices/counted-1');
    await get('/v1/devices/nobody');
    await get('/nowhere/at/all');
    const labels = (route: string, status: number) =>
      `http_server_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`;
    await until(async () => (await sample.registry.metrics()).includes(labels('unmatched', 404)));
    const text = await sample.registry.metrics();
    expect(text).toContain(labels('/v1/devices/{id}', 200));
    expect(text).toContain(labels('/v1/devices/{id}', 404));
    expect(text).not.toContain('counted-1');
    expect(text).not.toContain('nowhere');
  });
});

describe('a client that disconnects', () => {
  it('aborts the signal, causes no error, and is counted as 499', async () => {
    const sample = await startSample();
    const client = new AbortController();
    const answer = fetch(`${sample.url}/v1/wait`, { signal: client.signal });
    const signal = await sample.waiting;
    expect(signal.aborted).toBe(false);
    client.abort();
    await expect(answer).rejects.toThrow();
    await until(() => signal.aborted);
    const gone = () => sample.lines.find(({ msg }) => msg === 'request cancelled by the client');
    await until(() => gone() !== undefined);
    expect(gone()).toMatchObject({ level: 20 });
    expect(await sample.registry.metrics()).toContain('route="/v1/wait",status="499"');
    await sample.close();
  });

  it('is not counted after the complete response', async () => {
    const sample = await startSample();
    const answer = fetch(`${sample.url}/v1/wait`);
    const signal = await sample.waiting;
    sample.release();
    expect(await (await answer).json()).toEqual({});
    await sample.close();
    expect(signal.aborted).toBe(false);
  });
});
