import { isObject, readObject } from './payload.ts';
import { Rejection } from '../rejection.ts';
import { isMeasured, nameQuantities, shift, valueAt } from './quantities.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading } from './decoder.ts';
import type { Decoded, DecoderKind, Draft } from './decoder.ts';
import type { Claim, Quantity } from './quantities.ts';

type Rule = readonly [path: string, name: Quantity, exponent?: number];

/** A switch, cover or light that measures what passes through it. Energy is in Wh. */
const metered: readonly Rule[] = [
  ['apower', 'power'],
  ['voltage', 'voltage'],
  ['current', 'current'],
  ['aenergy.total', 'energyImport', -3],
  ['ret_aenergy.total', 'energyExport', -3],
];

/** By type of component (Shelly API docs, "Components and Services"). */
const rules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['switch', metered],
  ['cover', metered],
  ['light', metered],
  ['rgb', metered],
  ['rgbw', metered],
  ['cct', metered],
  ['pm1', metered],
  ['em', [['total_act_power', 'power']]],
  [
    'em1',
    [
      ['act_power', 'power'],
      ['voltage', 'voltage'],
      ['current', 'current'],
    ],
  ],
  [
    'emdata',
    [
      ['total_act', 'energyImport', -3],
      ['total_act_ret', 'energyExport', -3],
    ],
  ],
  [
    'em1data',
    [
      ['total_act_energy', 'energyImport', -3],
      ['total_act_ret_energy', 'energyExport', -3],
    ],
  ],
  ['temperature', [['tC', 'temperature']]],
  ['humidity', [['rh', 'humidity']]],
  [
    'devicepower',
    [
      ['battery.percent', 'battery'],
      ['battery.V', 'voltage'],
    ],
  ],
  ['voltmeter', [['voltage', 'voltage']]],
]);

/** As in `switch:0` and `sys`; anything else after `status` is not a Shelly's. */
const component = /^[a-z][a-z0-9_]*(:\d+)?$/;

/** Shelly devices of the second generation and later, which need `status_ntf` or `rpc_ntf` set in their MQTT settings. */
export const shelly: DecoderKind = {
  name: 'shelly',
  defaultFilters: ['+/status/#', '+/events/rpc'],
  create: () => (source) => {
    const { levels, payload } = source;
    const [parent, last = ''] = levels.slice(-2);
    const isStatus = levels.length > 2 && parent === 'status' && component.test(last);
    const isEvent = levels.length > 2 && parent === 'events' && last === 'rpc';
    if (payload.length === 0 || (!isStatus && !isEvent)) return ignored();
    const device = deviceOf(source, 2);
    const body = readObject(payload);
    return isEvent ? notification(device, body) : status(device, undefined, { [last]: body });
  },
};

function notification(device: string, { method, params }: Record<string, unknown>): Decoded {
  if (!isObject(params)) throw new Rejection('malformed', 'a notification without params');
  const { ts, ...rest } = params;
  if (method === 'NotifyStatus' || method === 'NotifyFullStatus') return status(device, ts, rest);
  if (method !== 'NotifyEvent') return ignored();
  const events = Array.isArray(rest['events']) ? (rest['events'] as unknown[]) : [];
  return { device, drafts: events.map((event) => toDraft(event, ts)), gathered: false };
}

function status(device: string, time: unknown, fields: Record<string, unknown>): Decoded {
  const claims = Object.entries(fields).flatMap(([name, part]) => claimsOf(name, part));
  return oneReading(device, time, nameQuantities(fields, claims));
}

function claimsOf(name: string, part: unknown): Claim[] {
  const [type = ''] = name.split(':', 1);
  return (rules.get(type) ?? []).flatMap(([path, quantity, exponent = 0]): Claim[] => {
    const names = path.split('.');
    const value = valueAt(part, names);
    if (!isMeasured(value)) return [];
    return [{ path: [name, ...names], name: quantity, value: shift(value, exponent) }];
  });
}

/** What is not an event becomes a draft without fields, so that only this is refused. */
function toDraft(event: unknown, sent: unknown): Draft {
  const { component: name, ts = sent, ...rest } = isObject(event) ? event : {};
  if (typeof name !== 'string') return { time: undefined, fields: {} };
  const fields = { [name]: rest };
  // A push of a button: called as Zigbee2MQTT calls it, and known for an event of which each one matters.
  const pushed = name.startsWith('input:') && typeof rest['event'] === 'string';
  return { time: ts, fields: pushed ? { ...fields, action: rest['event'] } : fields };
}
