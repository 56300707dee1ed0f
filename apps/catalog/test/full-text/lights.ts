import type { Replica } from './replica.ts';

/** The indexed texts of an entity. */
const light = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'note', kind: 'text' },
    { name: 'watts', kind: 'number' },
  ],
  fullText: ['name', 'note'],
};

/** Declares the types Light and Room, both with a name and a note in the full-text index. */
export async function declareLights(replica: Replica): Promise<void> {
  for (const type of ['Light', 'Room']) {
    const { status, body } = await replica.ask(`/v1/types/${type}`, { method: 'PUT', body: light });
    if (status > 201) throw new Error(`${type} is not taken: ${JSON.stringify(body)}`);
  }
}

export async function put(
  replica: Replica,
  id: string,
  attributes: Record<string, unknown>,
  type = 'Light',
): Promise<void> {
  const path = `/v1/entities/${type}/${encodeURIComponent(id)}`;
  const { status, body } = await replica.ask(path, { method: 'PUT', body: { attributes } });
  if (status > 201) throw new Error(`${id} is not taken: ${JSON.stringify(body)}`);
}

export async function remove(replica: Replica, id: string): Promise<void> {
  const { status } = await replica.ask(`/v1/entities/Light/${encodeURIComponent(id)}`, {
    method: 'DELETE',
  });
  if (status !== 204) throw new Error(`${id} is not deleted: ${status}`);
}
