import { decode, fieldsOf, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';
import { ignored } from './decoder.ts';

const decoders = newDecoders();
const fields = (payload: unknown) => fieldsOf(decoders, 'zigbee2mqtt/d', payload);

describe('Zigbee2MQTT', () => {
  it.each([
    [{ voltage: 3015 }, 3.015],
    [{ voltage: 230 }, 230],
    [{ voltage: 480 }, 480],
    [{ voltage: 900 }, 0.9],
    [{ voltage: 900, battery: 5 }, 0.9],
    [{ voltage: 12.4, battery: 80 }, 12.4],
    [{ voltage: null }, null],
  ])('of %j the volts are %d', (payload, volts) => {
    expect(fields(payload)['voltage']).toBe(volts);
  });

  it('keeps every digit of a voltage', () => {
    expect(String(fields('{"voltage": 3015.12345678901234567}')['voltage'])).toBe(
      '3.01512345678901234567',
    );
  });

  it('leaves other values than measurements under their own name', () => {
    expect(fields({ linkquality: 'good', contact: 'maybe', battery: '100.00 %' })).toEqual({
      linkquality: 'good',
      contact: 'maybe',
      battery: '100.00 %',
    });
  });

  it('reads numbers in texts where the name is that of a quantity', () => {
    expect(fields({ battery: '100.00', voltage: '3045', power: '21,5', model: '7' })).toEqual({
      battery: 100,
      voltage: 3.045,
      power: '21,5',
      model: '7',
    });
  });

  it('has one name for the action of all versions', () => {
    expect(fields({ click: 'single', linkquality: 1 })).toEqual({
      action: 'single',
      linkQuality: 1,
    });
    expect(fields({ click: 'single', action: 'single' })).toEqual({
      action: 'single',
      click: 'single',
    });
  });

  it('has no duplicate name', () => {
    const both = () => fields({ linkquality: 1, linkQuality: 2 });
    expect(rejectionOf(both).reason).toBe('bad_field');
  });

  it.each([{ action: '' }, { action: null }, { temperature: -327.68 }, { humidity: 655.35 }])(
    'has no field for the value in %j',
    (payload) => {
      expect(fields({ ...payload, x: 1 })).toEqual({ x: 1 });
      expect(decode(decoders, 'zigbee2mqtt/d', JSON.stringify(payload)).drafts).toEqual([]);
    },
  );

  it('with only a time contains no reading', () => {
    expect(decode(decoders, 'zigbee2mqtt/d', '{"last_seen": null}').drafts).toEqual([]);
  });

  it('treats a last_seen of null as none', () => {
    expect(
      readingsOf(decode(decoders, 'zigbee2mqtt/d', '{"last_seen": null, "x": 1}')),
    ).toHaveLength(1);
  });

  it.each(['zigbee2mqtt', 'zigbee2mqtt/bridge', 'zigbee2mqtt/a/b/get/x', 'zigbee2mqtt/a/set'])(
    'contains no reading on %s',
    (topic) => {
      expect(decode(decoders, topic, 'anything').drafts).toEqual([]);
    },
  );

  it('may have a base topic of several levels', () => {
    const own = newDecoders('zigbee2mqtt=home/z2m/#');
    expect(decode(own, 'home/z2m/bridge/state', 'online').drafts).toEqual([]);
    expect(decode(own, 'home/z2m/set', '{"x": 1}').device).toBe('set');
    expect(decode(own, 'home/z2m/hall/lamp', '{"x": 1}').device).toBe('hall/lamp');
  });

  it('leaves a single value to others, unless the topic is configured', () => {
    const topic = 'zigbee2mqtt/d/temperature';
    expect(decode(newDecoders('zigbee2mqtt'), topic, '21').isUnproven).toBe(true);
    const own = newDecoders('zigbee2mqtt=zigbee2mqtt/#');
    const { reason, message } = rejectionOf(() => decode(own, topic, '21'));
    expect([reason, message]).toEqual(['malformed', expect.stringContaining('output json')]);
  });

  it.each(['zigbee2mqtt', 'zigbee2mqtt=zigbee2mqtt/#'])(
    'ignores single values that repeat those of an object: %s',
    (choice) => {
      const own = newDecoders(choice);
      decode(own, 'zigbee2mqtt/hall/lamp', '{"color": {"x": 1}, "state": "ON"}');
      for (const attribute of ['state', 'color-x', 'a/b']) {
        expect(decode(own, `zigbee2mqtt/hall/lamp/${attribute}`, 'ON')).toEqual(ignored());
      }
      expect(decode(own, 'zigbee2mqtt/another/action', 'single')).toEqual(ignored());
    },
  );
});
