import { isObject, readPayload } from './payload.ts';
import { Rejection } from '../rejection.ts';
import { isMeasured, nameQuantities, shift } from './quantities.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';
import type { Claim, Quantity } from './quantities.ts';

/** Zigbee2MQTT's names (guide, "Exposes"), where the unit is ours already. */
const quantities: ReadonlyMap<string, Quantity> = new Map([
  ['temperature', 'temperature'],
  ['humidity', 'humidity'],
  ['pressure', 'pressure'],
  ['power', 'power'],
  ['energy', 'energyImport'],
  ['produced_energy', 'energyExport'],
  ['current', 'current'],
  ['battery', 'battery'],
  ['linkquality', 'linkQuality'],
]);

/** Below this, a voltage is in volts: no mains of a home has more. */
const leastMillivolts = 1000;
/** The same for what has a battery, which never has so many volts. */
const leastBatteryMillivolts = 500;

/** `zigbee2mqtt/<friendly name>`, where a friendly name may have several levels. */
export const zigbee2mqtt: DecoderKind = {
  name: 'zigbee2mqtt',
  defaultFilters: ['zigbee2mqtt/#'],
  create: () => (source) => {
    const device = deviceOf(source);
    const beyondBase = source.levels.length >= source.filter.levels.length;
    if (!beyondBase || source.payload.length === 0 || isAside(device)) return ignored();
    const payload = readPayload(source.payload);
    if (!isObject(payload)) {
      throw new Rejection(
        'malformed',
        'the payload is not an object: Zigbee2MQTT must be set to output json, not attribute',
      );
    }
    const { last_seen: lastSeen, ...fields } = payload;
    return oneReading(device, lastSeen ?? undefined, nameQuantities(fields, claimsOf(fields)));
  },
};

/** What Zigbee2MQTT says of itself, what is said to it, and whether a device can be reached. */
function isAside(name: string): boolean {
  const levels = name.split('/');
  if (levels[0] === 'bridge') return true;
  if (levels.length > 1 && /^(availability|set|get)$/.test(levels.at(-1) ?? '')) return true;
  return levels.length > 2 && /^(set|get)$/.test(levels.at(-2) ?? '');
}

function claimsOf(fields: Record<string, unknown>): Claim[] {
  const claims = Object.keys(fields).flatMap((own): Claim[] => {
    const name = quantities.get(own);
    const value = fields[own];
    return name !== undefined && isMeasured(value) ? [{ path: [own], name, value }] : [];
  });
  if (isMeasured(fields['voltage'])) {
    claims.push({ path: ['voltage'], name: 'voltage', value: volts(fields) });
  }
  if (typeof fields['contact'] === 'boolean') {
    // Contact is made, so the door is closed.
    const value = fields['contact'] ? 'closed' : 'open';
    claims.push({ path: ['contact'], name: 'contact', value });
  }
  return claims;
}

/** Batteries are in millivolts, the mains in volts, and the message does not say which. */
function volts(fields: Record<string, unknown>): unknown {
  const { voltage } = fields;
  const fromBattery = Object.hasOwn(fields, 'battery') || Object.hasOwn(fields, 'battery_low');
  const least = fromBattery ? leastBatteryMillivolts : leastMillivolts;
  return Math.abs(Number(String(voltage))) >= least ? shift(voltage, -3) : voltage;
}
