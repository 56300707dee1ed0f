import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import type { EntityType } from '@engawa/model';

/** Milliseconds beside the settling time that who closes a type has, to look for entities and to write what it becomes. */
const workMs = 30_000;

/**
 * The type, closed to new entities: replicas learn of it within two looks, and writes that began before have ended within the
 * settling time. Should who closed it end, it is open again by itself.
 */
export function closedType(type: EntityType, settleMs: number): EntityType {
  const until = Date.now() + 3 * settleMs + workMs;
  return { ...type, closing: { by: randomUUID(), until } };
}

/** Whether it will be closed for long enough to be written as something else. */
export function isSafelyClosed({ closing }: EntityType, settleMs: number): boolean {
  return closing !== undefined && Date.now() < closing.until - 2 * settleMs;
}

export function isClosed({ closing }: EntityType): boolean {
  return closing !== undefined && Date.now() < closing.until;
}

/** @throws Problem `type-in-use` while somebody has closed it */
export function refuseClosed(type: EntityType): void {
  if (!isClosed(type)) return;
  const { name } = type;
  const detail = `The type ${JSON.stringify(name)} is just being changed or deleted: it takes no new entities.`;
  throw new Problem('type-in-use', detail);
}
