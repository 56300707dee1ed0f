import { Readable } from 'node:stream';
import { openBeforeAll } from '@engawa/testing';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startRegistry } from './registry.ts';
import { startTable } from './table.ts';
import type { TestResponse } from './registry.ts';

const ndjson = 'application/x-ndjson';

interface ReportResponse {
  devices: { created: number; existing: number };
  failed: number;
  errors: { line: number; message: string }[];
}

describe('POST /v1/devices', () => {
  const registry = openBeforeAll(startRegistry);

  function post(body: unknown, type = 'application/json'): Promise<TestResponse> {
    return registry.ask('/v1/devices', { method: 'POST', headers: { 'content-type': type }, body });
  }

  async function report(body: unknown, type?: string): Promise<ReportResponse> {
    const answer = await post(body, type);
    expect(answer.status).toBe(200);
    return answer.body as ReportResponse;
  }

  const lines = (...entries: (object | string)[]) =>
    entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');

  it('creates missing devices and does not change existing ones, for one UpdateItem each', async () => {
    const first = lines({ id: 'a', name: 'First', kind: 'meter' }, '', { id: 'b' });
    const cost = await registry.costOf(async () => {
      expect(await report(first, ndjson)).toEqual({
        devices: { created: 2, existing: 0 },
        failed: 0,
        errors: [],
      });
    });
    expect(cost).toEqual({ UpdateItem: 2 });
    const second = lines({ id: 'a', name: 'Other' }, { id: 'c' }, { id: 'c', name: 'Again' });
    expect(await report(second, ndjson)).toMatchObject({ devices: { created: 1, existing: 2 } });
    const { body } = await registry.ask('/v1/devices/a');
    expect(body).toMatchObject({ name: 'First', kind: 'meter', version: 1 });
    expect(body).not.toHaveProperty('lastSeenAt');
    const silent = await registry.ask('/v1/devices?silentFor=P1D');
    expect((silent.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('takes one device, or an array of them', async () => {
    expect(await report({ id: 'single' })).toMatchObject({ devices: { created: 1 } });
    expect(await report([{ id: 'x1' }, 7, { id: 'x2' }])).toMatchObject({
      devices: { created: 2 },
      failed: 1,
      errors: [{ line: 2 }],
    });
    expect(await report([])).toMatchObject({ devices: { created: 0, existing: 0 }, failed: 0 });
  });

  it('reports the errors of each line, and processes the others', async () => {
    const body = lines(
      { id: 'good-1' },
      '{"id":',
      { id: '..' },
      { name: 'no id' },
      { id: 'bad-1', kind: 'toaster' },
      { id: 'bad-2', place: 'home' },
      'null',
      '{"id":"bad-3","__proto__":{"kind":"meter"}}',
      { id: 'good-2' },
    );
    const { devices, failed, errors } = await report(body, ndjson);
    expect(devices).toEqual({ created: 2, existing: 0 });
    expect(failed).toBe(7);
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(errors[3]?.message).toContain('kind');
  });

  it('names the first hundred errors', async () => {
    const body = Array.from({ length: 150 }, () => '{}').join('\n');
    const { failed, errors } = await report(body, ndjson);
    expect([failed, errors.length]).toEqual([150, 100]);
  });

  it('rejects JSON that is too large to buffer', async () => {
    const body = `[${'1,'.repeat(500_000)}1]`;
    expect(await post(body)).toMatchObject({ status: 413 });
  });

  it.each<[string, string, number]>([
    ['{"id":', 'application/json', 400],
    ['a', 'text/plain', 415],
  ])('refuses %j as %s', async (body, type, status) => {
    expect(await post(body, type)).toMatchObject({ status });
  });
});

it('processes thousands of lines as a stream', async () => {
  const started = await startTable();
  const service = await startServiceOnTable(started);
  const lines = 3000;
  function* body() {
    for (let line = 0; line < lines; line++) {
      yield Buffer.from(`${JSON.stringify({ id: `device ${line}`, name: 'x'.repeat(250) })}\n`);
    }
  }
  const answer = await fetch(`${service.api}/v1/devices`, {
    method: 'POST',
    headers: { 'content-type': ndjson },
    body: Readable.from(body()),
    duplex: 'half',
  });
  expect(await answer.json()).toEqual({
    devices: { created: lines, existing: 0 },
    failed: 0,
    errors: [],
  });
  const { body: last } = await service.ask(`/v1/devices/device%20${lines - 1}`);
  expect(last).toMatchObject({ name: 'x'.repeat(250) });
  await service.close();
  await started.close();
});
