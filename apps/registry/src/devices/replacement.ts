import { noAnnotations } from '../annotations/merge-annotations.ts';
import type { Device } from '@engawa/model';
import type { DeviceChange, DeviceChanges } from './change-device.ts';

/** The defaults of a device's properties. */
export function defaultsOf(id: string) {
  return { name: id, kind: 'other', status: 'active' } as const;
}

/**
 * The changes of a PUT: properties that the body lacks get their defaults. A kind that a client had
 * set is reset, so that ingestion determines it; a kind that ingestion determined stays.
 */
export function replacementOf(
  { id, kindNamed = false }: Device,
  given: DeviceChanges,
): DeviceChange['changes'] {
  const { kind, ...defaults } = defaultsOf(id);
  const takenBack = kindNamed && given.kind === undefined ? { kind, kindNamed: false } : {};
  return { ...defaults, ...noAnnotations, ...takenBack, ...given };
}
