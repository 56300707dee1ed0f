import { once } from 'node:events';
import { get } from 'node:http';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { route } from '../src/route/route.ts';
import { startRowsApp } from './rows-app.ts';
import { startSample, until } from './sample-app.ts';
import { startApp } from './start-app.ts';
import type { IncomingMessage } from 'node:http';

const large = route({
  method: 'get',
  path: '/v1/large',
  operationId: 'large',
  summary: 'Large enough for compression',
  responses: { 200: { description: 'Text', schema: z.string() } },
  handle: () => ({ status: 200, body: 'so much '.repeat(1000) }),
});

async function ask(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const client = get(url, { headers });
  const [answer] = (await once(client, 'response')) as [IncomingMessage];
  client.on('error', () => undefined); // of an aborted transfer, which its reader sees
  return answer;
}

describe('every answer', () => {
  it('has a Cache-Control header', async () => {
    const sample = await startSample();
    const of = async (path: string, init?: RequestInit) => {
      const { status, headers } = await fetch(sample.url + path, init);
      return [status, headers.get('cache-control'), headers.get('vary')];
    };
    const vary = 'Accept-Encoding';
    expect(await of('/v1/devices/a')).toEqual([200, 'no-store', vary]);
    expect(await of('/v1/devices?x=1')).toEqual([400, 'no-store', vary]);
    expect(await of('/v1/devices/broken')).toEqual([500, 'no-store', vary]);
    expect(await of('/nowhere')).toEqual([404, 'no-store', vary]);
    expect(await of('/v1/devices', { method: 'DELETE' })).toEqual([405, 'no-store', vary]);
    expect(await of('/problems/internal')).toEqual([200, 'public, max-age=3600', vary]);
    expect(await of('/openapi.json')).toEqual([200, 'public, max-age=300', vary]);
    expect(await of('/docs')).toEqual([200, 'public, max-age=300', vary]);
    expect(await of('/docs/swagger-ui.css')).toEqual([200, 'public, max-age=3600', vary]);
    await sample.close();
  });
});

describe('a response to a client that accepts compression', () => {
  it('is compressed: JSON', async () => {
    const app = await startApp({ routes: [large] });
    const body = JSON.stringify('so much '.repeat(1000));
    const packed = async (coding: string) => {
      const answer = await ask(`${app.url}/v1/large`, { 'accept-encoding': coding });
      expect(answer.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      return buffer(answer);
    };
    expect(gunzipSync(await packed('gzip')).toString()).toBe(body);
    expect(brotliDecompressSync(await packed('br')).toString()).toBe(body);
    expect((await packed('gzip')).length).toBeLessThan(body.length / 20);
    expect((await packed('identity')).toString()).toBe(body);
    await app.close();
  });

  it.each(['application/x-ndjson', 'text/csv'])('is compressed: %s', async (accept) => {
    const app = await startRowsApp();
    const url = `${app.url}/v1/lists/a?rows=5000`;
    const plain = await buffer(await ask(url, { accept }));
    const answer = await ask(url, { accept, 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const packed = await buffer(answer);
    expect(gunzipSync(packed).toString()).toBe(plain.toString());
    expect(packed.length).toBeLessThan(plain.length / 4);
    await app.close();
  });

  it('contains available rows, while others are still fetched', async () => {
    const app = await startRowsApp();
    const headers = { accept: 'application/x-ndjson', 'accept-encoding': 'gzip' };
    const answer = await ask(`${app.url}/v1/lists/a?rows=6&waitsAt=5`, headers);
    let text = '';
    const unpacked = answer.pipe(createGunzip());
    unpacked.on('data', (bytes: Buffer) => (text += bytes.toString()));
    await until(() => text.split('\n').length === 6);
    app.watched.get('a')?.release();
    await once(unpacked, 'end');
    expect(text.split('\n')).toHaveLength(7);
    await app.close();
  });

  it('is aborted when it fails after its start', async () => {
    const app = await startRowsApp();
    const headers = { accept: 'application/x-ndjson', 'accept-encoding': 'gzip' };
    const answer = ask(`${app.url}/v1/lists/a?rows=5000&failsAt=4000`, headers);
    await expect(answer.then(buffer)).rejects.toThrow();
    await until(async () => (await app.counted('/v1/lists/{name}', 500)) === 1);
    await app.close();
  });
});
