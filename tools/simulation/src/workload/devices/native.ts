import { messageOf } from './device-message.ts';
import type { ExpectedReading } from '../../oracles/expected-readings.ts';
import type { Dialect } from './device-message.ts';

type Timed = ExpectedReading & { time: number };

/** Engawa's own format: one reading with or without a time, or an array of readings from an offline period. */
export const native: Dialect = {
  name: 'native',
  nextMessage: ({ name, count, now, random, retains, firmware }) => {
    const topic = `engawa/${name}/readings`;
    const thermometer = firmware === 1 ? 'temperature' : `temperature.${firmware}`;
    const reading = (index: number): Timed => ({
      device: name,
      fields: { count: count + index / 1000, [thermometer]: random.integer(150, 300) / 10 },
      time: now - index * 60_000,
    });
    const body = ({ time, fields }: Timed) => ({ ts: time, ...fields });
    const form = random.integer(0, 2);
    if (form === 0) {
      const { device, fields } = reading(0);
      return messageOf(topic, fields, [{ device, fields }], retains);
    }
    if (form === 1) {
      const one = reading(0);
      return messageOf(topic, body(one), [one], retains);
    }
    const many = Array.from({ length: random.integer(2, 12) }, (_, index) => reading(index));
    return messageOf(topic, many.map(body), many, retains);
  },
};
