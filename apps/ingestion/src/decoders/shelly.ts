import { timeOfSetClock } from './device-clock.ts';
import { isObject, readObject, tryReadObject } from './payload.ts';
import { Rejection } from '../refusals/rejection.ts';
import { isMeasured, nameQuantities, shift, valueAt } from './quantities.ts';
import { isOfShelly, isShellyPrefix } from './shelly-proof.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { Decoded, DecoderKind, Draft, Source } from './decoder.ts';
import type { NamedQuantity, Quantity, QuantityName } from './quantities.ts';
import type { MatchedTopic } from './topic-filter.ts';

type Rule = readonly [path: string, quantity: Quantity, exponent?: number];

/** Components that measure power and energy. Energy is in Wh. */
const metered: readonly Rule[] = [
  ['apower', 'power'],
  ['voltage', 'voltage'],
  ['current', 'current'],
  ['aenergy.total', 'energyImport', -3],
  ['ret_aenergy.total', 'energyExport', -3],
];
const phase: readonly Rule[] = [
  ['act_power', 'power'],
  ['voltage', 'voltage'],
  ['current', 'current'],
];
const totals: readonly Rule[] = [
  ['total_act', 'energyImport', -3],
  ['total_act_ret', 'energyExport', -3],
];
const phaseTotals: readonly Rule[] = [
  ['total_act_energy', 'energyImport', -3],
  ['total_act_ret_energy', 'energyExport', -3],
];
const battery: readonly Rule[] = [
  ['battery.percent', 'battery'],
  ['battery.V', 'voltage'],
];

/**
 * By type of component (Shelly API docs, "Components and Services"). For a main type, component 0 is the device: no
 * device has two of them that measure the same quantity at a time (API docs, "Devices", with their profiles). Color
 * lights accompany white ones in some profiles, and voltmeters accompany all. Nor may a change of profile give a name
 * to another component: two outputs become the cover of their motor; a three-phase meter has the profile `triphase`
 * (`em`, the sum of the phases) or `monophase` (`em1`, one of them), so only the sum is the device.
 */
const types: ReadonlyMap<string, { rules: readonly Rule[]; isMain: boolean }> = new Map([
  ['switch', { rules: metered, isMain: true }],
  ['cover', { rules: metered, isMain: false }],
  ['light', { rules: metered, isMain: true }],
  ['pm1', { rules: metered, isMain: true }],
  ['rgb', { rules: metered, isMain: false }],
  ['rgbw', { rules: metered, isMain: false }],
  ['cct', { rules: metered, isMain: false }],
  ['rgbcct', { rules: metered, isMain: false }],
  ['em', { rules: [['total_act_power', 'power']], isMain: true }],
  ['em1', { rules: phase, isMain: false }],
  ['emdata', { rules: totals, isMain: true }],
  ['em1data', { rules: phaseTotals, isMain: false }],
  ['temperature', { rules: [['tC', 'temperature']], isMain: true }],
  ['humidity', { rules: [['rh', 'humidity']], isMain: true }],
  ['devicepower', { rules: battery, isMain: true }],
  ['voltmeter', { rules: [['voltage', 'voltage']], isMain: false }],
  ['input', { rules: [], isMain: true }],
]);

/** As in `switch:0` and `sys`; other levels after `status` are not of a Shelly. */
const component = /^[a-z][a-z0-9_]*(:\d+)?$/;

/** Shelly devices of the second generation and later, with `status_ntf` or `rpc_ntf` enabled in their MQTT settings. */
export const shelly: DecoderKind = {
  name: 'shelly',
  defaultFilters: ['+/status/#', '+/events/rpc'],
  deviceOf: shellyDevice,
  create: () => (source) => {
    const { filter, levels, payload } = source;
    const [parent, last = ''] = levels.slice(-2);
    const isStatus = levels.length > 2 && parent === 'status' && component.test(last);
    const isEvent = levels.length > 2 && parent === 'events' && last === 'rpc';
    if (payload.length === 0) return ignored();
    if (!isStatus && !isEvent) return filter.isDefault ? unproven() : ignored();
    const body = bodyOf(source);
    if (body === undefined || (filter.isDefault && !isOfShelly(levels, body))) return unproven();
    const device = shellyDevice(source);
    return isEvent ? notification(device, body) : status(device, undefined, { [last]: body });
  },
};

function shellyDevice(topic: MatchedTopic): string {
  return deviceOf(topic, 2);
}

/**
 * Undefined if the payload is no object, or not a complete one, and the topic does not prove the brand.
 * @throws Rejection when the topic proves the brand, or the filter is configured
 */
function bodyOf({ filter, levels, payload }: Source): Record<string, unknown> | undefined {
  const isOurs = !filter.isDefault || isShellyPrefix(levels[0]);
  return isOurs ? readObject(payload) : tryReadObject(payload);
}

function notification(device: string, { method, params }: Record<string, unknown>): Decoded {
  if (!isObject(params)) throw new Rejection('params-missing');
  const { ts, ...rest } = params;
  if (method === 'NotifyStatus' || method === 'NotifyFullStatus') return status(device, ts, rest);
  if (method !== 'NotifyEvent') return ignored();
  const events = Array.isArray(rest['events']) ? (rest['events'] as unknown[]) : [];
  return { device, drafts: events.map((event) => toDraft(event, ts)), isBatched: false };
}

function status(device: string, time: unknown, params: Record<string, unknown>): Decoded {
  // A removed component is reported as null (API docs, "Notifications").
  const components = Object.entries(params).filter(([, part]) => part !== null);
  const isTimed = ([, part]: [string, unknown]) => isSet(valueAt(part, [updated]));
  const timed = components.filter(isTimed).map(([component, part]): Draft => {
    const { [updated]: ownTime, ...values } = part as Record<string, unknown>;
    return { time: timeOf(ownTime), timeName: updated, fields: fieldsOf([[component, values]]) };
  });
  const others = components.filter((entry) => !isTimed(entry));
  const common = oneReading(device, timeOf(time), fieldsOf(others));
  return { ...common, drafts: [...common.drafts, ...timed] };
}

/** When a Bluetooth device last reported the value of its component (API docs, "BTHomeDevice", "BTHomeSensor"). */
const updated = 'last_updated_ts';

/** A time in seconds; 0 or null before the first report. */
function isSet(time: unknown): boolean {
  return typeof time === 'number' && timeOfSetClock(time) !== undefined;
}

function fieldsOf(components: readonly [string, unknown][]): Readonly<Record<string, unknown>> {
  const quantities = components.flatMap(([component, part]) => quantitiesOf(component, part));
  return nameQuantities(Object.fromEntries(components), quantities);
}

/** A device without a set clock gives none. */
function timeOf(time: unknown): unknown {
  return timeOfSetClock(time ?? undefined);
}

function quantitiesOf(component: string, part: unknown): NamedQuantity[] {
  const [type = ''] = component.split(':', 1);
  return (types.get(type)?.rules ?? []).flatMap(
    ([path, quantity, exponent = 0]): NamedQuantity[] => {
      const names = path.split('.');
      const value = valueAt(part, names);
      if (!isMeasured(value)) return [];
      const name = nameOf(component, quantity);
      return [{ path: [component, ...names], name, value: shift(value, exponent) }];
    },
  );
}

function nameOf(component: string, quantity: Quantity): QuantityName {
  const [type = '', number] = component.split(':', 2);
  const isMain = number === '0' && types.get(type)?.isMain === true;
  return isMain ? quantity : `${component}.${quantity}`;
}

/** A value that is not an event becomes a draft without fields, so that only this one is refused. */
function toDraft(event: unknown, sent: unknown): Draft {
  const { component, ts = sent, ...rest } = isObject(event) ? event : {};
  if (typeof component !== 'string') return { time: undefined, fields: {} };
  const fields = { [component]: rest };
  // A push of a button: named as Zigbee2MQTT names it; each event is stored.
  const pushed = component.startsWith('input:') && typeof rest['event'] === 'string';
  const action = pushed && { [nameOf(component, 'action')]: rest['event'] };
  return { time: timeOf(ts), fields: { ...fields, ...action } };
}
