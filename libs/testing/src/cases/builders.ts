import type { Device, Reading } from '@engawa/model';

/** A device as ingestion registers it, with the given overrides. */
export function aDevice(overrides: Partial<Device> = {}): Device {
  const id = overrides.id ?? 'climate-1';
  return {
    id,
    name: id,
    kind: 'climate',
    status: 'active',
    registeredAt: Date.UTC(2026, 10, 1),
    lastSeenAt: Date.UTC(2026, 10, 20, 9),
    span: 0,
    version: 1,
    ...overrides,
  };
}

/** A reading with the given overrides. */
export function aReading(overrides: Partial<Reading> = {}): Reading {
  return { time: Date.UTC(2026, 10, 20, 9), fields: { temperature: 21.5 }, ...overrides };
}
