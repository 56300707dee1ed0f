import { decode, fieldsOf, newDecoders } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders();
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

  it.each([['5'], ['x'], [null]])('keeps a count whose unit is %j as it is', (unit) => {
    expect(fields(property(224, '7'), property(225, unit))['p224']).toBe(7);
  });

  it('keeps every digit', () => {
    const { energyImport } = fields(
      property(211, '3'),
      property(224, '12345678901234567890'),
      property(225, '4'),
    );
    expect(String(energyImport)).toBe('3703703670370370.367');
  });

  it('has null for what has no value', () => {
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

  it('without properties says nothing', () => {
    expect(decode(decoders, topic, JSON.stringify(meter())).drafts).toEqual([]);
  });
});
