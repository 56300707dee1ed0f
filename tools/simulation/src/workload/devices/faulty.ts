import { messageOf } from './device-message.ts';
import type { ExpectedReading } from '../../oracles/expected-readings.ts';
import type { Dialect, DeviceMessage, MessageOptions } from './device-message.ts';

const hourMs = 3_600_000;
/** Milliseconds for which a stuck clock has the same time. */
const stuckMs = 6 * hourMs;
/** Of a local time in Japan or Singapore that is read as UTC. */
export const aheadMs = 8 * hourMs;
/** Longer than any limited retention of the worlds. */
const longAgoMs = 10 * 24 * hourMs;

/** Values that cannot be stored, as JSON. */
const unfitValues = ['1e400', 'NaN', '-Infinity', String.raw`"\ud800"`];

type Form = (options: MessageOptions) => DeviceMessage;

/** A pulse counter: equal readings without a time, one or several in a message. */
const pulses: Form = ({ name, random }) => {
  const [device, fields] = [`${name}-pulses`, { pulse: 1 }];
  const count = random.pick([1, 1, 3, 20]);
  const readings = Array.from({ length: count }, () => ({ device, fields }));
  const body = count === 1 ? fields : readings.map(() => fields);
  return { ...nativeMessage(device, body, readings), times: random.pick([1, 2, 5]) };
};

/** A clock that stands still: different and equal measurements have one time. */
const stuckClock: Form = ({ name, now, random }) => {
  const device = `${name}-stuck`;
  const time = Math.floor(now / stuckMs) * stuckMs;
  const states = Array.from({ length: random.integer(1, 3) }, () => random.pick(['on', 'off']));
  const readings = states.map((relay) => ({ device, time, fields: { relay } }));
  const bodies = states.map((relay) => ({ ts: time, relay }));
  const body = bodies.length === 1 ? bodies[0] : bodies;
  return { ...nativeMessage(device, body, readings), times: random.pick([1, 1, 2]) };
};

const clockAhead: Form = ({ name, count, now }) => {
  const [device, time, fields] = [`${name}-ahead`, now + aheadMs, { count }];
  return nativeMessage(device, { ts: time, count }, [{ device, time, fields }]);
};

/** A clock that was never set, or a backlog: readings older than the retention of a thermometer. */
const longAgo: Form = ({ name, count, now, random }) => {
  const [device, time] = [`${name}-backlog`, now - longAgoMs];
  const fields = { count, temperature: random.integer(150, 300) / 10 };
  return nativeMessage(device, { ts: time, ...fields }, [{ device, time, fields }]);
};

/** A value that cannot be stored beside two that can. */
const unfit: Form = ({ name, count, random }) => {
  const [device, fields] = [`${name}-unfit`, { count, power: random.integer(0, 2000) }];
  const payload = `{"count":${count},"level":${random.pick(unfitValues)},"power":${fields.power}}`;
  const message = nativeMessage(device, {}, [{ device, fields }]);
  return { ...message, payload, isPoison: true, leftOut: ['"level"'] };
};

const forms: readonly Form[] = [pulses, stuckClock, clockAhead, longAgo, unfit];

/** Devices with faults, in Engawa's own format, which publish their readings or post them to the API. */
export const faulty: Dialect = {
  name: 'faulty',
  nextMessage: (options) => {
    const message = options.random.pick(forms)(options);
    return { ...message, isPosted: options.random.chance(0.25) };
  },
};

function nativeMessage(device: string, body: unknown, readings: readonly ExpectedReading[]) {
  return messageOf(`engawa/${device}/readings`, body, readings);
}
