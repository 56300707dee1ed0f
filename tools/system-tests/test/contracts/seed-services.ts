import { blockItem, deviceItem } from '@engawa/model';
import { aDevice, aReading, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import type { Services } from '../services.ts';

/** A type of the catalog with one of each. */
export const songs = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'released', kind: 'number' },
    { name: 'code', kind: 'text', unique: true },
  ],
  relations: [
    { name: 'cover', to: 'Song' },
    { name: 'versions', to: 'Song', many: true },
  ],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'title' }, { attribute: 'released' }] }],
  rankings: [{ name: 'byYear', attribute: 'released' }],
  fullText: ['title'],
};

/** Creates one of each thing, so that requests pass the validation. */
export async function seedServices(services: Services): Promise<void> {
  const device = aDevice({ id: 'climate-1' });
  await services.table.put(deviceItem(device, { list: 1, seen: 1 }));
  await services.table.put(blockItem({ device: device.id, readings: [aReading()] }));
  const { registry, catalog } = services.urls;
  await put(`${registry}/v1/places/home`, { name: 'Home' });
  await put(`${registry}/v1/rooms/home/hall`, { name: 'Hall' });
  await put(`${registry}/v1/places/home/devices/climate-1`, { room: 'hall' });
  await put(`${catalog}/v1/types/Song`, songs);
  const attributes = { title: 'Heroes', released: 1977 };
  const both = { cover: 'song-1', versions: ['song-1'] };
  const coded = { ...attributes, code: 'h1' };
  await put(`${catalog}/v1/entities/Song/song-1`, { attributes: coded });
  await put(`${catalog}/v1/entities/Song/song-2`, { attributes, relations: both });
  await until('the full-text index', async () => (await fetch(`${catalog}/v1/search?q=heroes`)).ok);
}

/** @returns the ids of dead letters */
export async function leaveDeadLetters({ urls, brokerUrl }: Services): Promise<string[]> {
  const count = 5;
  const client = await connectAsync(brokerUrl, { protocolVersion: 4 });
  for (let index = 0; index < count; index += 1) {
    await client.publishAsync(`engawa/poison-${index}/readings`, `not JSON ${index}`, { qos: 1 });
  }
  await client.endAsync();
  let ids: string[] = [];
  await until('the dead letters', async () => {
    const answer = await fetch(`${urls.ingestion}/v1/deadLetters`);
    const { items } = (await answer.json()) as { items: { id: string }[] };
    ids = items.map(({ id }) => id);
    return ids.length === count;
  });
  return ids;
}

async function put(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
}
