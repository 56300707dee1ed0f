import { encode } from 'cborg';
import { decode, newDecoders, readingsOf, receivedAt } from '../../test/decoding.ts';

type Message = readonly [topic: string, payload: unknown];

const decoders = newDecoders();
const time = '2026-11-19T23:30:00.000Z';
const at = Date.parse(time);

/** Each field of each message; fields that a message does not have are left out. */
function seriesOf(
  messages: readonly Message[],
  format = JSON.stringify as (value: unknown) => string | Uint8Array,
) {
  const series: Record<string, unknown[]> = {};
  for (const [topic, payload] of messages) {
    const text = typeof payload === 'string' ? payload : format(payload);
    for (const { fields } of readingsOf(decode(decoders, topic, text))) {
      for (const [name, value] of Object.entries(fields)) (series[name] ??= []).push(value);
    }
  }
  return series;
}

const timesOf = (messages: readonly Message[]) =>
  messages.flatMap(([topic, payload]) =>
    readingsOf(decode(decoders, topic, JSON.stringify(payload))).map((reading) => reading.time),
  );

describe('a Shelly over its life', () => {
  const rpc = (params: object, method = 'NotifyStatus'): Message => [
    's/events/rpc',
    { method, params },
  ];

  it('boots without a time, then reports changes by component', () => {
    const boot = { 'switch:0': { apower: 1, voltage: 230 }, 'switch:1': { apower: 5 } };
    const messages = [
      rpc({ ts: null, ...boot }, 'NotifyFullStatus'),
      rpc({ ts: 3.25, 'switch:1': { apower: 6 } }),
      rpc({ ts: at / 1000, 'switch:0': { apower: 2 } }),
      rpc({ ts: at / 1000, 'switch:0': { voltage: 231 } }),
    ];
    expect(seriesOf(messages)).toEqual({
      power: [1, 2],
      voltage: [230, 231],
      'switch:1.power': [5, 6],
    });
    expect(timesOf(messages)).toEqual([receivedAt, receivedAt, at, at]);
  });

  it('reports both a status of each component and notifications', () => {
    const messages: Message[] = [
      ['shelly-s/status/switch:1', { apower: 5, errors: [] }],
      rpc({ ts: at / 1000, 'switch:1': { apower: 6, errors: ['overtemp'] } }),
    ];
    expect(seriesOf(messages)).toEqual({
      'switch:1.power': [5, 6],
      'switch:1.errors': [null],
      'switch:1.errors.0': ['overtemp'],
    });
  });

  it('loses a sensor of its add-on, then has a second one', () => {
    const messages = [
      rpc({ 'temperature:100': { tC: 20 } }),
      rpc({ 'temperature:100': { tC: null, errors: ['read'] } }),
      rpc({ 'temperature:100': null, 'temperature:101': { tC: 30 } }),
    ];
    expect(seriesOf(messages)).toEqual({
      'temperature:100.temperature': [20, null],
      'temperature:100.errors.0': ['read'],
      'temperature:101.temperature': [30],
    });
  });

  it('gets a firmware that measures more', () => {
    const messages = [
      rpc({ 'switch:0': { apower: 1, aenergy: { total: 1000 } } }),
      rpc({ 'switch:0': { apower: 2, aenergy: { total: 2000 }, ret_aenergy: { total: 1 } } }),
    ];
    expect(seriesOf(messages)).toEqual({
      power: [1, 2],
      energyImport: [1, 2],
      energyExport: [0.001],
    });
  });
});

describe('a Tasmota over its life', () => {
  const sensor = (sections: object): Message => ['tele/t/SENSOR', { ...sections, TempUnit: 'C' }];
  const series = (messages: readonly Message[]) => {
    const fields = Object.entries(seriesOf(messages));
    return Object.fromEntries(fields.filter(([name]) => name !== 'TempUnit'));
  };

  it('boots without a time', () => {
    const state = (Time: string): Message => ['tele/t/STATE', { Time, POWER: 'ON' }];
    const messages = [state('1970-01-01T00:00:08'), state('2026-11-19T23:30:00')];
    expect(timesOf(messages)).toEqual([receivedAt, at]);
  });

  it('cannot read its sensor for a while', () => {
    const messages = [{ Temperature: 20 }, { Temperature: null }, { Temperature: 21 }].map(
      (AM2301) => sensor({ AM2301 }),
    );
    expect(series(messages)).toEqual({ temperature: [20, null, 21] });
  });

  it('gets a second sensor, and loses the first', () => {
    const [AM2301, BME280] = [{ Temperature: 20 }, { Temperature: 30, Pressure: 1003 }];
    const messages = [sensor({ AM2301 }), sensor({ AM2301, BME280 }), sensor({ BME280 })];
    expect(series(messages)).toEqual({
      temperature: [20, 20],
      'BME280.temperature': [30, 30],
      'BME280.Pressure': [1003, 1003],
    });
  });

  it('gets a firmware that reports the addresses of its probes', () => {
    const messages = [
      sensor({ DS18B20: { Temperature: 20 } }),
      sensor({ DS18B20: { Id: '0516A1', Temperature: 21 } }),
      sensor({ 'DS18B20-1': { Id: '0516A1', Temperature: 22 }, 'DS18B20-2': { Id: '0516A2' } }),
    ];
    expect(series(messages)).toMatchObject({
      'DS18B20.temperature': [20],
      'DS18B20-0516A1.temperature': [21, 22],
    });
  });

  it('is set to Fahrenheit and back', () => {
    const AM2301 = { Temperature: 20, Humidity: 48 };
    const messages: Message[] = [
      sensor({ AM2301 }),
      ['tele/t/SENSOR', { AM2301: { Temperature: 68, Humidity: 49 }, TempUnit: 'F' }],
      sensor({ AM2301 }),
    ];
    expect(series(messages)).toEqual({
      temperature: [20, 20],
      'AM2301.Temperature': [68],
      humidity: [48, 49, 48],
    });
  });
});

describe('a device of Zigbee2MQTT over its life', () => {
  const says = (payload: object): Message => ['zigbee2mqtt/z', payload];

  it('reports its battery hours after its voltage', () => {
    const messages = [
      says({ voltage: 900, battery: null }),
      says({ voltage: 890, battery: 5, battery_low: true }),
    ];
    expect(seriesOf(messages)['voltage']).toEqual([0.9, 0.89]);
  });

  it('is pushed, and Zigbee2MQTT clears the action each time', () => {
    const messages = ['single', '', 'double', ''].map((action) => says({ action, battery: 97 }));
    expect(seriesOf(messages)).toEqual({
      action: ['single', 'double'],
      battery: [97, 97, 97, 97],
    });
  });

  it('has two channels, reported one at a time', () => {
    const messages = [says({ power_left: 7 }), says({ power_right: 5 }), says({ power: 12 })];
    expect(seriesOf(messages)).toEqual({ power_left: [7], power_right: [5], power: [12] });
  });
});

describe('an ECHONET Lite meter over its life', () => {
  const property = (name: string, epc: number, val: unknown) => ({ name, epc, val });
  const meter = (...echonetlite_properties: object[]): Message => [
    'nature/m/smart_meter',
    { echonetlite_properties },
  ];

  it('boots without values, then reports counts with and without their unit', () => {
    const constants = [property('coefficient', 211, '40'), property('unit', 225, '1')];
    const messages = [
      meter(...constants, property('normal', 224, '4294967294')),
      meter(...constants, property('normal', 224, '100')),
      meter(property('normal', 224, '101')),
      meter(property('measured', 231, '1284')),
      meter(property('measured', 231, '2147483646')),
    ];
    expect(seriesOf(messages)).toEqual({
      coefficient: [40, 40],
      unit: [1, 1],
      energyImport: [400],
      normal: [101],
      power: [1284],
    });
  });
});

describe('an entity of Home Assistant over its life', () => {
  it('is unavailable while its device is away', () => {
    const topic = 'homeassistant/sensor/power/state';
    const messages = ['unknown', '21.5', 'unavailable', '22'].map((text): Message => [topic, text]);
    expect(seriesOf(messages)).toEqual({ state: [21.5, 22] });
  });
});

describe('a device with another firmware', () => {
  const readings: Message[] = [
    ['engawa/n/readings', { ts: time, temperature: 20, nested: { x: 1 } }],
    ['tele/t/SENSOR', { 'DS18B20-1': { Id: '0516A1', Temperature: 20 }, TempUnit: 'C' }],
    ['zigbee2mqtt/z', { voltage: 900, contact: true, action: '' }],
    ['shelly-s/status/switch:1', { apower: 5, aenergy: { total: 7.5 } }],
  ];

  it.each(readings)('that sends CBOR to %s has the same fields', (...message) => {
    expect(seriesOf([message], encode)).toEqual(seriesOf([message]));
  });

  it('that names its time otherwise has the same fields', () => {
    const messages = ['ts', 'time', 'timestamp'].map((name): Message => [
      'engawa/n/readings',
      { [name]: time, temperature: 20 },
    ]);
    expect(seriesOf(messages)).toEqual({ temperature: [20, 20, 20] });
    expect(timesOf(messages)).toEqual([at, at, at]);
  });
});
