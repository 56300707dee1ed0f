import { timeOfSetClock } from './device-clock.ts';
import { KnownNames } from './known-names.ts';
import { beginsAsObject, isObject, readPayload } from './payload.ts';
import { Rejection } from '../refusals/rejection.ts';
import { isMeasured, nameQuantities, numberOf, shift } from './quantities.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { Decoded, DecoderKind, Source } from './decoder.ts';
import type { NamedQuantity, Quantity } from './quantities.ts';

/** Names of Zigbee2MQTT (guide, "Exposes") with the same unit as ours. */
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

/**
 * Voltages below this are in volts, others in millivolts. No phase of a home's mains has more (277 V in America), and
 * no radio runs on a battery with less (0.8 V), so a device never changes sides.
 */
const minMillivolts = 500;

/**
 * The code for "no value", as scaled by Zigbee2MQTT (Zigbee Cluster Library: 0x8000 of signed values, 0xFFFF and 0xFF
 * of unsigned ones). None of them is a possible measurement.
 */
const noValues: ReadonlyMap<string, readonly number[]> = new Map([
  ['temperature', [-327.68]],
  ['local_temperature', [-327.68]],
  ['humidity', [655.35]],
  ['soil_moisture', [655.35]],
  ['pressure', [-32768, -3276.8]],
  ['battery', [127.5, 255]],
  ['voltage', [25500]],
]);

/** Maximum number of devices whose single attributes are recognized. */
const maxDevices = 10_000;

/** `zigbee2mqtt/<friendly name>`; a friendly name may have several levels. */
export const zigbee2mqtt: DecoderKind = {
  name: 'zigbee2mqtt',
  defaultFilters: ['zigbee2mqtt/#'],
  deviceOf: (topic) => deviceOf(topic),
  create: () => {
    const reporting = new KnownNames(maxDevices);
    return (source) => {
      const device = deviceOf(source);
      const beyondBase = source.levels.length >= source.filter.levels.length;
      if (!beyondBase || source.payload.length === 0 || isAside(device)) return ignored();
      if (!beginsAsObject(source.payload)) return withoutObject(device, source, reporting);
      const payload = readPayload(source.payload);
      if (!isObject(payload)) throw new Rejection('output-not-json');
      reporting.add(device);
      return readingOf(device, payload);
    };
  },
};

function readingOf(device: string, { last_seen: lastSeen, ...values }: Record<string, unknown>) {
  const fields = Object.fromEntries(Object.entries(values).filter(isValue));
  const time = timeOfSetClock(lastSeen ?? undefined);
  return oneReading(device, time, nameQuantities(fields, quantitiesOf(fields)));
}

/**
 * A single value at `<device>/<attribute>` repeats a value of the object that Zigbee2MQTT publishes before it: the
 * trigger of Home Assistant's integration (`…/action`), and each attribute with `output: attribute_and_json`. Without
 * such an object the value may be the only report (`output: attribute`).
 */
function withoutObject(name: string, { filter }: Source, reporting: KnownNames): Decoded {
  const levels = name.split('/');
  const isTrigger = levels.length > 1 && levels.at(-1) === 'action';
  const parents = levels.map((_, index) => levels.slice(0, index).join('/'));
  if (isTrigger || parents.some((parent) => reporting.has(parent))) return ignored();
  if (filter.isDefault) return unproven();
  throw new Rejection('output-not-json');
}

/** Topics of Zigbee2MQTT itself, of commands, and of availability. */
function isAside(name: string): boolean {
  if (name === 'bridge' || name.startsWith('bridge/')) return true;
  return /\/(availability|set|get)$/.test(name) || /\/(set|get)\/[^/]*$/.test(name);
}

/** After each action Zigbee2MQTT may publish an empty one (FAQ, "action property always empty"). */
function isValue([name, value]: readonly [string, unknown]): boolean {
  if (name === 'action' || name === 'click') return value !== '' && value !== null;
  return typeof value !== 'number' || noValues.get(name)?.includes(value) !== true;
}

function quantitiesOf(fields: Record<string, unknown>): NamedQuantity[] {
  const named = Object.keys(fields).flatMap((own): NamedQuantity[] => {
    const name = quantities.get(own);
    // Old converters report some numbers as texts.
    const value = numberOf(fields[own]);
    return name !== undefined && isMeasured(value) ? [{ path: [own], name, value }] : [];
  });
  const voltage = numberOf(fields['voltage']);
  if (isMeasured(voltage)) {
    named.push({ path: ['voltage'], name: 'voltage', value: volts(voltage) });
  }
  // The action's name before 2020. A version in between reports both, with one value.
  if (Object.hasOwn(fields, 'click') && !Object.hasOwn(fields, 'action')) {
    named.push({ path: ['click'], name: 'action', value: fields['click'] });
  }
  if (typeof fields['contact'] === 'boolean') {
    // Contact means that the door is closed.
    const value = fields['contact'] ? 'closed' : 'open';
    named.push({ path: ['contact'], name: 'contact', value });
  }
  return named;
}

/** Batteries report millivolts, mains devices volts, and the message does not give the unit. */
function volts(voltage: unknown): unknown {
  return Math.abs(Number(String(voltage))) >= minMillivolts ? shift(voltage, -3) : voltage;
}
