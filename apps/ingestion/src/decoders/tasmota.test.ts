import { decode, fieldsOf, newDecoders, readingsOf, receivedAt } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders();
const fields = (payload: unknown) => fieldsOf(decoders, 'tele/d/SENSOR', payload);

describe('Tasmota', () => {
  it('names a temperature of unknown unit as the sensor does', () => {
    expect(fields({ DHT: { Temperature: 70 } })).toEqual({ 'DHT.Temperature': 70 });
    expect(fields({ DHT: { Temperature: 70 }, TempUnit: 'F' })).toEqual({
      'DHT.Temperature': 70,
      TempUnit: 'F',
    });
  });

  it('names a pressure "pressure" only in hPa', () => {
    const payload = { BMP: { Pressure: 757 }, PressureUnit: 'mmHg' };
    expect(fields(payload)).toEqual({ 'BMP.Pressure': 757, PressureUnit: 'mmHg' });
  });

  it('accepts one of two exported energies', () => {
    expect(fields({ ENERGY: { ExportActive: 1, ExportTotal: 2 } })).toEqual({
      energyExport: 1,
      'ENERGY.ExportTotal': 2,
    });
  });

  it.each([
    [
      { Power: 1, Total: 2 },
      { power: 1, energyImport: 2 },
    ],
    [
      { Power: [1], Voltage: 230 },
      { 'ENERGY.Power.0': 1, voltage: 230 },
    ],
    [
      { Power: [1, null], Total: [2, 3] },
      { 'ENERGY.Power.0': 1, 'ENERGY.Power.1': null, 'ENERGY.Total.0': 2, 'ENERGY.Total.1': 3 },
    ],
    [
      { Power: ['1', '2'], Current: '3' },
      { 'ENERGY.Power.0': '1', 'ENERGY.Power.1': '2', current: 3 },
    ],
  ])('takes no phase of %j for the device', (ENERGY, expected) => {
    expect(fields({ ENERGY })).toEqual(expected);
    expect(fields({ ENERGY2: { Power: 1 }, ENERGY })).toEqual({ 'ENERGY2.Power': 1, ...expected });
  });

  it('has null for a value that a sensor could not measure', () => {
    expect(fields({ AM2301: { Temperature: null }, TempUnit: 'C' })).toEqual({
      temperature: null,
      TempUnit: 'C',
    });
  });

  it.each([
    ['DS18B20', '00000560E0B2', 'DS18B20-00000560E0B2'],
    ['DS18B20-3', '00000560E0B2', 'DS18B20-00000560E0B2'],
    ['DS1822_1', '0516A1', 'DS1822-0516A1'],
    ['DS18B20-1', undefined, 'DS18B20-1'],
    ['DS18B20-1', '', 'DS18B20-1'],
    ['DS18B20-1', 'a.b', 'DS18B20-1'],
    ['Cellar', '00000560E0B2', 'Cellar'],
    ['DS18Sens-1', '00000560E0B2', 'DS18Sens-1'],
  ])('names the sensor %j with the address %j %j', (section, Id, sensor) => {
    const found = fields({ [section]: { Id, Temperature: 20 }, TempUnit: 'C' });
    expect(found[`${sensor}.temperature`]).toBe(20);
  });

  it('refuses two sensors of one address', () => {
    const section = { Id: '0516A1', Temperature: 20 };
    const attempt = () => fields({ 'DS1822-1': section, 'DS1822-2': section });
    expect(rejectionOf(attempt).message).toBe('two fields are called "DS1822-0516A1"');
  });

  it('has the configured main sensors', () => {
    const own = newDecoders('tasmota', 'UTC', ['BME280', 'DS18B20-0516A1']);
    const sensors = { BME280: { Humidity: 1, Temperature: 70 }, AM2301: { Humidity: 2 } };
    expect(fieldsOf(own, 'tele/d/SENSOR', sensors)).toEqual({
      humidity: 1,
      'BME280.Temperature': 70,
      'AM2301.humidity': 2,
    });
    const probe = { 'DS18B20-2': { Id: '0516A1', Temperature: 20 }, TempUnit: 'C' };
    expect(fieldsOf(own, 'tele/d/SENSOR', probe)['temperature']).toBe(20);
  });

  it.each([
    '1970-01-01T00:00:12',
    '1969-12-31T19:00:12',
    '2000-01-01T00:00:00',
    '1970-01-01T09:00:12Z',
  ])('has no time while its clock shows %s', (Time) => {
    const text = JSON.stringify({ Time, x: 1 });
    const [reading] = readingsOf(decode(decoders, 'tele/d/SENSOR', text));
    expect(reading).toEqual({ time: receivedAt, fields: { x: 1 } });
  });

  it('recognizes a section by its own properties', () => {
    expect(fields({ constructor: { Humidity: 1 }, ENERGY: [1] })).toEqual({
      'constructor.humidity': 1,
      'ENERGY.0': 1,
    });
  });

  it('refuses an invalid time', () => {
    const attempt = () => fields({ Time: '2026-02-30T00:00:00', x: 1 });
    expect(rejectionOf(attempt).reason).toBe('bad_time');
  });

  it('ignores other messages below its own topic', () => {
    const own = newDecoders('tasmota=+/tele/#');
    expect(decode(own, 'plug/tele/LWT', 'Online').drafts).toEqual([]);
    expect(decode(own, 'plug/tele/INFO1', '{"Info1":{}}').drafts).toEqual([]);
    expect(decode(own, 'plug/tele/SENSOR', '{"x":1}').device).toBe('plug');
  });
});
