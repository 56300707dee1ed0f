import type { Device } from '@engawa/model';
import type { DeviceChange, DeviceChanges } from './change-device.ts';

/** What a device is called and is where nobody says it. */
export function defaultsOf(id: string) {
  return { name: id, kind: 'other', status: 'active' } as const;
}

/** What PUT leaves of labels and metadata that its body does not have. */
export const noAnnotations = { labels: {}, metadata: '{}' };

/**
 * What PUT changes of a device: what people may say and have not said has its default. A kind that they gave before is taken
 * back, so that ingestion may find it; one that ingestion has found is not theirs, and stays.
 */
export function replacementOf(
  { id, kindNamed = false }: Device,
  said: DeviceChanges,
): DeviceChange['changes'] {
  const { kind, ...defaults } = defaultsOf(id);
  const takenBack = kindNamed && said.kind === undefined ? { kind, kindNamed: false } : {};
  return { ...defaults, ...noAnnotations, ...takenBack, ...said };
}
