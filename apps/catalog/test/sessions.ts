import { expiryPartition } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { until } from '@engawa/testing';
import { itemsOf } from './entities.ts';
import { tasksOf } from './types.ts';
import type { Table } from '@engawa/table';
import type { EntityInput } from './entities.ts';

/** Default expiry time of sessions; tests set their clocks around it. */
export const dueAt = Date.parse('2030-01-01T00:00:00.000Z');

/** A time after the expiry margin. */
export const afterMargin = dueAt + 61_000;

/** Sessions of users, with all kinds of index rows; notes relate to sessions. */
export const user = { attributes: [{ name: 'name', kind: 'text' }] };
export const session = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'until', kind: 'instant' },
    { name: 'clicks', kind: 'number' },
    { name: 'size', kind: 'number' },
    { name: 'agent', kind: 'text' },
  ],
  relations: [{ name: 'user', to: 'User' }],
  searches: [
    { name: 'byUser', parts: [{ relation: 'user' }] },
    { name: 'byTitle', parts: [{ attribute: 'title' }] },
  ],
  rankings: [
    { name: 'byClicks', attribute: 'clicks' },
    { name: 'bySize', attribute: 'size' },
  ],
  fullText: ['title'],
  expires: { attribute: 'until' },
};
export const note = { relations: [{ name: 'session', to: 'Session' }] };
export const types = { User: user, Session: session, Note: note };

/** A session with all index rows. */
export function sessionOf(more: Record<string, unknown> = {}): EntityInput {
  const attributes = { title: 'login', clicks: 3, size: 7, until: iso(dueAt), ...more };
  return { attributes, relations: { user: 'anna' } };
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** All background polls at intervals so short that no test waits for them, and they are not the most of its work. */
export const busy = {
  TYPE_REFRESH_MS: '50',
  TYPE_SETTLE_MS: '100',
  FULL_TEXT_REFRESH_MS: '50',
  TASK_REFRESH_MS: '50',
  RATE_LIMIT_PER_MINUTE: '0',
};

/** Reads the table, since a GET hides expired entities. */
export async function isStored(table: Table, id: string, type = 'Session'): Promise<boolean> {
  const items = await itemsOf(table, type, id);
  return items.some(({ sk, gone }) => sk === `E#${type}#${id}` && gone !== true);
}

export async function untilDeleted(
  table: Table,
  ids: readonly string[],
  type?: string,
): Promise<void> {
  let left = new Set(ids);
  await until(
    'the expired sessions to be deleted',
    async () => {
      const stored = await Promise.all(
        [...left].map(async (id) => (await isStored(table, id, type)) && id),
      );
      left = new Set(stored.filter((id) => id !== false));
      return left.size === 0;
    },
    { progress: () => left.size },
  );
}

/** The ids with an expiry row. */
export async function expiring(table: Table): Promise<string[]> {
  const { items } = await table.query({ index: 'gsi2', pk: expiryPartition(0) });
  return items.map((item) => (item['gsi2sk'] as string).split('#').at(-1) ?? '');
}

/** Whether an expiry task exists: a replica deletes expired entities, or was killed meanwhile. */
export async function isExpiring(table: Table): Promise<boolean> {
  return (await tasksOf(table)).some((item) => keyOf(item).sk.startsWith('EXPIRY'));
}
