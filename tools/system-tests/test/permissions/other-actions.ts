import { blockItem, deviceItem } from '@engawa/model';
import { aDevice, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { idOf } from '../costs/seed-catalog.ts';
import type { Table } from '@engawa/table';
import type { GuardedServices } from './guarded-services.ts';

/** Actions of the services beyond the access patterns, by name; each is done when it resolves. */
export const otherActions: Record<string, (services: GuardedServices) => Promise<void>> = {
  'a message over MQTT is stored': async (services) => {
    const device = await connectAsync(services.mqttUrl);
    await device.publishAsync('engawa/over-mqtt/readings', '{"temperature":21.5}', { qos: 1 });
    await device.endAsync();
    await until('the reading', () =>
      services.ask('query', '/v1/devices/over-mqtt/latest').then(
        ({ body }) => JSON.stringify(body).includes('21.5'),
        () => false,
      ),
    );
  },

  'a reading is sent to a listener': async (services) => {
    const end = new AbortController();
    const url = `${services.urlOf('ingestion')}/v1/live?device=listened`;
    const { body } = await fetch(url, { signal: end.signal });
    await services.ask('ingestion', '/v1/readings?device=listened', {
      method: 'POST',
      body: [{ temperature: 21.5 }],
    });
    let text = '';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('event: reading')) break;
    }
    expect(text).toContain('event: reading');
    end.abort();
  },

  'dead letters are read, replayed and discarded': async (services) => {
    const day = new Date().toISOString().slice(0, 10);
    const list = async () => {
      const { body } = await services.ask('ingestion', `/v1/deadLetters?day=${day}&limit=10`);
      return (body['items'] as { id: string }[]).map(({ id }) => id);
    };
    const [first = '', second = ''] = await list();
    await services.ask('ingestion', `/v1/deadLetters/${first}`);
    await services.ask('ingestion', `/v1/deadLetters/${first}/preview`);
    await services.ask('ingestion', `/v1/deadLetters/${first}/replay`, { method: 'POST' });
    await services.ask('ingestion', `/v1/deadLetters/${second}`, { method: 'DELETE' });
    expect(await list()).not.toContain(second);
  },

  'a place is deleted with its devices': async (services) => {
    await services.ask('registry', '/v1/places/lakeside', { method: 'DELETE' });
    await until('an empty place', async () => {
      const { body } = await services.ask('registry', '/v1/rooms?namePrefix=Room%20lakeside');
      return (body['items'] as unknown[]).length === 0;
    });
  },

  'an entity that others relate to is deleted': async (services) => {
    const path = `/v1/entities/Artist/${idOf('artist', 1)}`;
    await services.ask('catalog', `${path}?detach=true`, { method: 'DELETE' });
    await until('no relations to it', async () => {
      const { body } = await services.ask('catalog', `/v1/entities/Song/${idOf('song', 8)}`);
      return JSON.stringify(body['relations']) === '{}';
    });
  },

  'a search is added to a type, and built': async (services) => {
    const { body: type } = await services.ask('catalog', '/v1/types/Label');
    const byName = { name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] };
    const body = { attributes: type['attributes'], searches: [byName] };
    const entity = { attributes: { name: 'Blue' } };
    await services.ask('catalog', '/v1/entities/Label/blue', { method: 'PUT', body: entity });
    await services.ask('catalog', '/v1/types/Label', { method: 'PUT', body });
    await until('the search', () =>
      services.ask('catalog', '/v1/search/Label/byName?eq=blue').then(
        ({ body: found }) => (found['items'] as unknown[]).length === 1,
        () => false,
      ),
    );
  },

  'full-text index created again, and found with': async (services) => {
    await services.ask('catalog', '/v1/search/rebuild', { method: 'POST' });
    await until('a song', async () => {
      const { body } = await services.ask('catalog', '/v1/search?q=song&whole=true');
      return (body['items'] as unknown[]).length > 0;
    });
  },
};

const hour = 3_600_000;
const day = 24 * hour;

/** A device whose readings expire within the day: something for the rollup command to do. */
export async function seedExpiring(table: Table): Promise<void> {
  const today = Date.now() - (Date.now() % day);
  await table.put(deviceItem(aDevice({ id: 'expiring' }), { list: 1, seen: 1 }));
  const retentionDays = 30;
  const first = today - retentionDays * day;
  for (let time = first; time < first + 2 * day; time += hour) {
    const readings = [{ time, fields: { power: 1.5 } }];
    const ttl = time / 1000 + retentionDays * 86_400;
    await table.put({ ...blockItem({ device: 'expiring', readings, ttl }) });
  }
}
