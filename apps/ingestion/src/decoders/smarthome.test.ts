import { decode, newDecoders, readingsOf, receivedAt } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const byDefault = newDecoders('smarthome');
const topic = 'knx/status/floor/outdoor';

describe('mqtt-smarthome', () => {
  it('has the time of the measurement', () => {
    const payload = '{"val":21.5,"ts":1795130000000,"lc":1795120000000}';
    const decoded = decode(byDefault, topic, payload);
    expect(decoded.device).toBe('knx');
    expect(readingsOf(decoded)).toEqual([
      {
        time: 1795130000000,
        fields: { 'floor.outdoor.val': 21.5, 'floor.outdoor.lc': 1795120000000 },
      },
    ]);
  });

  it.each(['12345', '{"cut', '{"ts":1795130000000}', '{"val":5}', '{"val":5,"ts":"now"}'])(
    'is not what publishes %s on the default topic',
    (payload) => {
      expect(decode(byDefault, topic, payload).isUnproven).toBe(true);
    },
  );

  it('on a configured topic may have no time, and must have a value', () => {
    const own = newDecoders('smarthome=home/knx/status/#');
    const decoded = decode(own, 'home/knx/status/door', '{"val":true}');
    expect([decoded.device, readingsOf(decoded)]).toEqual([
      'home/knx',
      [{ time: receivedAt, fields: { 'door.val': true } }],
    ]);
    const reasonOf = (payload: string) =>
      rejectionOf(() => decode(own, 'home/knx/status/door', payload)).reason;
    expect([reasonOf('{"value":5}'), reasonOf('5')]).toEqual(['malformed', 'malformed']);
  });

  it('shares its default topic with Shelly', () => {
    const both = newDecoders();
    expect(decode(both, topic, '{"val":5,"ts":1795130000000}').device).toBe('knx');
    expect(decode(both, 'shellyplug-1/status/switch:0', '{"id":0}').device).toBe('shellyplug-1');
  });
});
