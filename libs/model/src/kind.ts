import type { Fields } from './reading.ts';

/** What a device is for; decides how long its readings are kept and how long they may wait to be packed. */
export const deviceKinds = ['meter', 'climate', 'contact', 'button', 'other'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/**
 * The first kind that one of the reading's fields speaks for. The field may be that of one of
 * several components: `switch:1.power`, `input:1.action`, `BME280.temperature`.
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
