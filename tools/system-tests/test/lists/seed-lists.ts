import { createHash } from 'node:crypto';
import { deadLetterId, deadLetterItems } from '@engawa/model';
import type { Services } from '../services.ts';

/** Milliseconds, a whole second. */
export const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
export const day = new Date(start).toISOString().slice(0, 10);
const iso = (time: number) => new Date(time).toISOString();

/** A type of the catalog with one of each. */
const type = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'released', kind: 'number' },
  ],
  relations: [{ name: 'covers', to: 'Song', many: true }],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'title' }] }],
  rankings: [{ name: 'byYear', attribute: 'released' }],
  fullText: ['title'],
  filters: [{ attribute: 'released' }],
};

/** Three items for each list. */
export async function seedLists({ table, urls }: Services): Promise<void> {
  const { registry, catalog, ingestion } = urls;
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await put(`${registry}/v1/places/${id}`, { name: id });
  for (const id of ids) await put(`${registry}/v1/rooms/a/${id}`, { name: id });
  const readings = ids.flatMap((device) =>
    [0, 1, 2].map((index) => ({ device, ts: iso(start + index * 1000), index, level: 'high' })),
  );
  await send('POST', `${ingestion}/v1/readings`, readings);
  for (const id of ids) {
    for (const [turn, place] of ['c', 'b', 'a'].entries()) {
      const since = iso(start - 3000 + turn * 1000);
      const room = place === 'a' ? { room: 'a' } : {};
      await put(`${registry}/v1/places/${place}/devices/${id}`, { ...room, since });
    }
  }
  const reset = { operation: 'reset', at: new Date(0).toISOString(), why: 'a new meter' };
  for (const id of ids) await put(`${registry}/v1/devices/a/corrections/${id}`, reset);
  await put(`${catalog}/v1/types/Song`, type);
  for (const name of ['Album', 'Artist']) await put(`${catalog}/v1/types/${name}`, {});
  for (const id of ids) {
    const attributes = { title: 'Heroes', released: 1977 };
    await put(`${catalog}/v1/entities/Song/${id}`, { attributes });
  }
  await put(`${catalog}/v1/entities/Song/all`, { relations: { covers: ids } });
  for (const id of ids) {
    const payload = Buffer.from(id);
    const hash = createHash('sha256').update(payload).digest();
    const deadLetter = deadLetterId({
      receivedAt: start,
      delivery: hash,
      unique: hash.subarray(5),
    });
    const rest = { topic: 'x', properties: [], receivedAt: start, payload, detail: 'is no number' };
    const items = deadLetterItems({ id: deadLetter, reason: 'bad_field' as const, ...rest }, 0);
    for (const item of items) await table.put({ ...item });
  }
}

const put = (url: string, body: object) => send('PUT', url, body);

async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${await answer.text()}`);
}
