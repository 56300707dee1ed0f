import { decode, fieldsOf, newDecoders } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders();
const fields = (payload: unknown) => fieldsOf(decoders, 'tele/d/SENSOR', payload);

describe('Tasmota', () => {
  it('calls a temperature of no known unit as the sensor does', () => {
    expect(fields({ DHT: { Temperature: 70 } })).toEqual({ 'DHT.Temperature': 70 });
    expect(fields({ DHT: { Temperature: 70 }, TempUnit: 'F' })).toEqual({
      'DHT.Temperature': 70,
      TempUnit: 'F',
    });
  });

  it('calls a pressure so in hPa only', () => {
    const payload = { BMP: { Pressure: 757 }, PressureUnit: 'mmHg' };
    expect(fields(payload)).toEqual({ 'BMP.Pressure': 757, PressureUnit: 'mmHg' });
  });

  it('takes neither of two exported energies', () => {
    expect(fields({ ENERGY: { ExportActive: 1, ExportTotal: 2 } })).toEqual({
      'ENERGY.ExportActive': 1,
      'ENERGY.ExportTotal': 2,
    });
  });

  it('keeps null for what a sensor could not measure', () => {
    expect(fields({ DS: { Temperature: null }, TempUnit: 'C' })).toEqual({
      temperature: null,
      TempUnit: 'C',
    });
  });

  it('knows a section by what it has itself', () => {
    expect(fields({ constructor: { Humidity: 1 }, ENERGY: [1] })).toEqual({
      humidity: 1,
      'ENERGY.0': 1,
    });
  });

  it('refuses a time that is none', () => {
    const attempt = () => fields({ Time: '2026-02-30T00:00:00', x: 1 });
    expect(rejectionOf(attempt).reason).toBe('bad_time');
  });

  it('ignores what else is under a topic of ones own', () => {
    const own = newDecoders('tasmota=+/tele/#');
    expect(decode(own, 'plug/tele/LWT', 'Online').drafts).toEqual([]);
    expect(decode(own, 'plug/tele/INFO1', '{"Info1":{}}').drafts).toEqual([]);
    expect(decode(own, 'plug/tele/SENSOR', '{"x":1}').device).toBe('plug');
  });
});
