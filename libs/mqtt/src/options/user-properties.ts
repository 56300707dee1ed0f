import type { UserProperties } from 'mqtt-packet';

/** MQTT 5 user properties: names may repeat. */
export type UserPropertyPairs = readonly (readonly [name: string, value: string])[];

/**
 * mqtt-packet's object has no prototype, so that even `__proto__` is a name like any other; only
 * its own entries are read.
 */
export function toPairs(properties: UserProperties | undefined): UserPropertyPairs | undefined {
  if (properties === undefined) return undefined;
  return Object.entries(properties).flatMap(([name, values]) =>
    [values].flat().map((value): readonly [string, string] => [name, value]),
  );
}
