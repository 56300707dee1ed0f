import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import type { EntityType } from '@engawa/model';

/** Time in addition to TYPE_SETTLE_MS, for checking that there are no entities and writing the changed type. */
const marginMs = 30_000;

/**
 * The type, closed to new entities: replicas learn of it within two polls, and earlier writes end within
 * TYPE_SETTLE_MS. If the replica that closed it fails, the closing expires.
 */
export function closedType(type: EntityType, quiescenceMs: number): EntityType {
  const until = Date.now() + 3 * quiescenceMs + marginMs;
  return { ...type, closing: { by: randomUUID(), until } };
}

/** Whether it stays closed long enough for the changed type to be written. */
export function isSafelyClosed({ closing }: EntityType, quiescenceMs: number): boolean {
  return closing !== undefined && Date.now() < closing.until - 2 * quiescenceMs;
}

export function isClosed({ closing }: EntityType): boolean {
  return closing !== undefined && Date.now() < closing.until;
}

/** @throws Problem `type-changing` while it is closed */
export function refuseClosed(type: EntityType): void {
  if (!isClosed(type)) return;
  const { name } = type;
  const detail = `The type ${JSON.stringify(name)} is being changed or deleted, and accepts no new entities meanwhile.`;
  throw new Problem('type-changing', detail);
}
