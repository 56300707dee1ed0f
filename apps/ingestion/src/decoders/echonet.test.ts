import { decode, fieldsOf, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders('echonet=nature/+/smart_meter');
const topic = 'nature/m/smart_meter';
const meter = (...properties: unknown[]) => ({ echonetlite_properties: properties });
const property = (epc: number, val: unknown, more = {}) => ({ name: `p${epc}`, epc, val, ...more });
const fields = (...properties: unknown[]) => fieldsOf(decoders, topic, meter(...properties));
const reasonOf = (payload: unknown) => rejectionOf(() => fieldsOf(decoders, topic, payload)).reason;

describe('an ECHONET Lite meter', () => {
  it.each([
    [0, 123456],
    [1, 12345.6],
    [2, 1234.56],
    [3, 123.456],
    [4, 12.3456],
    [10, 1234560],
    [11, 12345600],
    [12, 123456000],
    [13, 1234560000],
  ])('counts in the unit %d', (unit, energy) => {
    expect(fields(property(224, '123456'), property(225, String(unit)))['energyImport']).toBe(
      energy,
    );
  });

  it.each([['5'], ['x'], [null]])('leaves a count unchanged whose unit is %j', (unit) => {
    expect(fields(property(224, '7'), property(225, unit))['p224']).toBe(7);
  });

  it('keeps every digit', () => {
    const { energyImport } = fields(
      property(211, '999999'),
      property(224, '99999998.00000001'),
      property(225, '4'),
    );
    expect(String(energyImport)).toBe('9999989800.000200999999');
  });

  it.each([
    [211, '4294967294'],
    [224, '4294967294'],
    [227, '4294967294'],
    [231, '2147483646'],
    [231, 2147483646],
    [232, '32766'],
  ])('has no field for property %d when it is %j, the code for no value', (epc, val) => {
    expect(fields(property(epc, val), property(1, 'x'))).toEqual({ p1: 'x' });
    expect(decode(decoders, topic, JSON.stringify(meter(property(epc, val)))).drafts).toEqual([]);
  });

  it.each([
    [211, '1000000'],
    [224, '100000000'],
    [224, '4294967295'],
    [224, '-1'],
    [227, '4294967295'],
    [231, '2147483647'],
    [231, '-2147483648'],
    [231, 4294967295],
    [232, '32767'],
    [232, '-32768'],
  ])('refuses property %d alone when it is %j, which is out of range', (epc, val) => {
    const payload = meter(property(epc, val), property(1, '7'));
    const decoded = decode(decoders, topic, JSON.stringify(payload));
    const [good, bad] = decoded.drafts.map((draft) => ({ ...decoded, drafts: [draft] }));
    expect(good && readingsOf(good)[0]?.fields).toEqual({ p1: 7 });
    const { reason, message } = rejectionOf(() => bad && readingsOf(bad));
    expect(reason).toBe('bad_number');
    expect(message).toContain(`field "p${epc}": ${String(val)} is not from`);
    expect(decoded.drafts).toHaveLength(2);
  });

  it.each([
    [224, '99999999'],
    [231, '2147483645'],
    [231, '-2147483647'],
    [232, '-32767'],
  ])('accepts property %d when it is %j, at the end of its range', (epc, val) => {
    expect(Object.values(fields(property(epc, val)))).toEqual([Number(val)]);
  });

  it.each([[null], ['4294967294'], ['1000000'], ['x']])(
    'keeps the count if its coefficient is %j',
    (val) => {
      const payload = meter(property(211, val), property(225, '1'), property(224, '7'));
      const { drafts } = decode(decoders, topic, JSON.stringify(payload));
      expect(drafts[0]?.fields).toMatchObject({ p224: 7 });
    },
  );

  it('has null for a property without a value', () => {
    expect(fields({ name: 'a', epc: 1 })).toEqual({ a: null });
  });

  it.each([
    [meter(property(1, '1'), property(1, '1')), 'bad_field'],
    [meter({ epc: 1, val: '1' }), 'bad_field'],
    [meter({ name: '__proto__', epc: 224, val: '1' }), 'bad_field'],
    [meter(7), 'malformed'],
    [{}, 'malformed'],
    [[], 'malformed'],
    [meter(property(1, '1', { updated_at: 'now' })), 'bad_time'],
    [meter(property(1, '9'.repeat(39))), 'bad_number'],
  ])('is refused as %j', (payload, reason) => {
    expect(reasonOf(payload)).toBe(reason);
  });

  it('has a reading for each time of an update, and reports an earlier one once', () => {
    const own = newDecoders('echonet');
    const readings = (energy: object, power: object) => {
      const payload = meter(property(225, '1', energy), property(224, '7', energy), power);
      return readingsOf(decode(own, topic, JSON.stringify(payload)));
    };
    const [early, late] = ['2026-11-19T22:30:00.000Z', '2026-11-19T23:30:00.000Z'];
    const power = property(231, '5', { updated_at: late });
    const powerReading = { time: Date.parse(late), fields: { power: 5 } };
    const energyAt = (time: string) => {
      return { time: Date.parse(time), fields: { p225: 1, energyImport: 0.7 } };
    };
    const first = readings({ updated_at: early }, power);
    expect(first).toEqual([energyAt(early), powerReading]);
    // The device repeats it: the latest reading proves that the device is there.
    expect(readings({ updated_at: early }, power)).toEqual([powerReading]);
    const updated = { updated_at: '2026-11-19T23:00:00.000Z' };
    expect(readings(updated, power)).toEqual([energyAt(updated.updated_at), powerReading]);
  });

  it('reports an earlier value that is absent, or cannot be stored, once', () => {
    const own = newDecoders('echonet');
    const early = { updated_at: '2026-11-19T22:30:00Z' };
    const payload = JSON.stringify(
      meter(
        property(225, '1', early),
        property(2, null, early),
        property(1, '9'.repeat(39), early),
        property(231, '5', { updated_at: '2026-11-19T23:30:00Z' }),
      ),
    );
    const counts = [1, 2].map(() => decode(own, topic, payload).drafts.length);
    expect(counts).toEqual([3, 1]);
  });

  it('refuses alone a value whose time is invalid', () => {
    const bad = property(231, '5', { updated_at: 'now' });
    const good = property(1, '7', { updated_at: '2026-11-19T23:30:00Z' });
    const decoded = decode(decoders, topic, JSON.stringify(meter(bad, good)));
    expect(decoded.drafts.map(({ fields: found }) => found)).toEqual([{ power: 5 }, { p1: 7 }]);
    expect(rejectionOf(() => readingsOf(decoded)).reason).toBe('bad_time');
  });

  it.each(['21.5', '[]', '{}', '{"echonetlite_properties":7}'])(
    'is not what publishes %s on the default topic',
    (payload) => {
      expect(decode(newDecoders('echonet'), topic, payload).isUnproven).toBe(true);
    },
  );

  it('without properties contains no reading', () => {
    expect(decode(decoders, topic, JSON.stringify(meter())).drafts).toEqual([]);
  });
});
