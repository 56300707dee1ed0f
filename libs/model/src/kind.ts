import type { Fields } from './reading.ts';

/** Purpose of a device; determines the retention of its readings and their linger. */
export const deviceKinds = ['meter', 'climate', 'contact', 'button', 'other'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/**
 * The first kind with a matching field in the reading. The field may belong to one of several components:
 * `switch:1.power`, `input:1.action`, `BME280.temperature`.
 */
const signs: readonly [DeviceKind, RegExp][] = [
  ['meter', /^(([^.]+\.)?(energyImport|energyExport|power)|cumulative_kwh_[pn]|current_w)$/],
  ['contact', /^([^.]+:\d+\.)?contact$/],
  ['button', /^([^.]+:\d+\.)?(action|button)$/],
  ['climate', /^([^.]+\.)?(temperature|humidity|pressure)$|^co2$/],
];

export function kindOf(fields: Fields): DeviceKind {
  const names = Object.keys(fields);
  return signs.find(([, sign]) => names.some((name) => sign.test(name)))?.[0] ?? 'other';
}
