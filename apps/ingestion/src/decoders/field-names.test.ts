import fc from 'fast-check';
import { decode, newDecoders, readingsOf } from '../../test/decoding.ts';
import type { Fields } from '@engawa/model';

const decoders = newDecoders();

/** The properties of one component, and the rest of the payload in each message. */
type Parts = readonly (readonly [name: string, value: unknown])[];

interface DeviceModel {
  name: string;
  parts: Parts;
  /** The fields of a message with these parts. */
  fieldsOf: (parts: Parts) => Fields;
}

function fieldsIn(topic: string, payload: unknown): Fields {
  const readings = readingsOf(decode(decoders, topic, JSON.stringify(payload)));
  return Object.assign({}, ...readings.map(({ fields }) => fields)) as Fields;
}

const metered = (watts: number) => ({
  output: true,
  apower: watts,
  voltage: 230 + watts,
  current: watts / 230,
  aenergy: { total: 1000 + watts, by_minute: [watts] },
  ret_aenergy: { total: 10 + watts },
  temperature: { tC: 40 + watts },
});
const phase = (watts: number) => ({ act_power: watts, voltage: 230 + watts, current: watts / 230 });
const phaseTotals = (total: number) => ({
  total_act_energy: total,
  total_act_ret_energy: total / 9,
});
const push = (event: string) => ({ event });
const twice = (type: string, of: (value: number) => unknown): [string, unknown][] =>
  [0, 1].map((number) => [`${type}:${number}`, of(number + 1)]);

/** The components of the devices by profile, from the API documentation. */
const shellyDevices: Record<string, Parts> = {
  '2PM as switches': [
    ...twice('switch', metered),
    ['input:0', { state: true }],
    ['sys', { uptime: 5 }],
  ],
  '2PM as a cover': [
    ['cover:0', { ...metered(3), state: 'open' }],
    ['sys', { uptime: 5 }],
  ],
  'Pro dual cover': twice('cover', metered),
  'Pro EM-50': [
    ...twice('em1', phase),
    ...twice('em1data', phaseTotals),
    ['switch:0', { output: true }],
  ],
  'Pro 3EM': [
    [
      'em:0',
      { a_act_power: 1, b_act_power: 2, a_voltage: 231, total_act_power: 3, n_current: null },
    ],
    ['emdata:0', { a_total_act_energy: 4, total_act: 5, total_act_ret: 6 }],
    ['switch:100', { output: false }],
    ['temperature:0', { tC: 33 }],
  ],
  '1PM with an add-on': [
    ['switch:0', metered(7)],
    ['temperature:100', { tC: 20, tF: 68 }],
    ['temperature:101', { tC: null, errors: ['read'] }],
    ['humidity:100', { rh: 48 }],
    ['voltmeter:100', { voltage: 3.2, xvoltage: 7 }],
  ],
  'Pro RGBWW as colour and white': [
    ['rgb:0', metered(1)],
    ...twice('light', (watts) => metered(watts + 1)),
  ],
  'H&T': [
    ['temperature:0', { tC: 21, tF: 69.8 }],
    ['humidity:0', { rh: 47 }],
    ['devicepower:0', { battery: { V: 5.3, percent: 78 } }],
  ],
};

const shellyModels = Object.entries(shellyDevices).flatMap(([name, parts]): DeviceModel[] => [
  {
    name: `Shelly ${name}, in notifications`,
    parts,
    fieldsOf: (some) => {
      const params = Object.fromEntries(some);
      return fieldsIn('shelly-1/events/rpc', { method: 'NotifyStatus', params });
    },
  },
  {
    name: `Shelly ${name}, in a status of each component`,
    parts,
    fieldsOf: (some) =>
      Object.assign(
        {},
        ...some.map(([part, value]) => fieldsIn(`shelly-1/status/${part}`, value)),
      ) as Fields,
  },
]);

const units = { TempUnit: 'C', PressureUnit: 'hPa' };
const climate = (celsius: number) => ({ Temperature: celsius, Humidity: celsius * 2, DewPoint: 1 });
const tasmotaModels: DeviceModel[] = [
  {
    name: 'Tasmota with every sensor',
    parts: [
      [
        'ENERGY',
        { Total: 412, ExportActive: 3, Power: 238, Voltage: 101, Current: 2.4, Factor: 0.9 },
      ],
      ['AM2301', climate(1)],
      ['BME280', { ...climate(2), Pressure: 1003 }],
      ['SHT3X-0x44', climate(3)],
      ['ANALOG', { Temperature: 4 }],
      ['DS18B20-1', { Id: '00000560E0B2', Temperature: 5 }],
      ['DS18B20-2', { Id: '00000560E0C9', Temperature: 6 }],
      ['ESP32', { Temperature: 53 }],
      ['Switch1', 'ON'],
    ],
    fieldsOf: (some) => fieldsIn('tele/d/SENSOR', { ...Object.fromEntries(some), ...units }),
  },
  {
    name: 'Tasmota with two sensors of a kind, in Fahrenheit',
    parts: [
      ['AM2301-04', climate(70)],
      ['AM2301-14', climate(71)],
      ['DS18B20', { Temperature: 72 }],
    ],
    fieldsOf: (some) => fieldsIn('tele/d/SENSOR', { ...Object.fromEntries(some), TempUnit: 'F' }),
  },
];

const zigbeeParts: Parts = Object.entries({
  temperature: 21.5,
  local_temperature: 22,
  device_temperature: 31,
  humidity: 48,
  power: 12,
  power_left: 7,
  power_right: 5,
  energy: 118,
  produced_energy: 3,
  voltage: 900,
  battery: 97,
  battery_low: false,
  linkquality: 81,
  contact: false,
  action: 'single',
  state_l1: 'ON',
});

const counted = { normal: 224, reverse: 227, power: 231, digits: 215 };
const echonetParts: Parts = Object.entries(counted).map(([name, epc]) => [
  name,
  { name, epc, val: '7' },
]);

const models: DeviceModel[] = [
  ...shellyModels,
  ...tasmotaModels,
  {
    name: 'Zigbee2MQTT',
    parts: zigbeeParts,
    fieldsOf: (some) => fieldsIn('zigbee2mqtt/d', Object.fromEntries(some)),
  },
  {
    // A meter gives the meaning of its counts in each message, or in none.
    name: 'an ECHONET Lite meter',
    parts: echonetParts,
    fieldsOf: (some) => {
      const constants = [
        { name: 'coefficient', epc: 211, val: '40' },
        { name: 'unit', epc: 225, val: '1' },
      ];
      const echonetlite_properties = [...constants, ...some.map(([, property]) => property)];
      return fieldsIn('nature/m/smart_meter', { echonetlite_properties });
    },
  },
  {
    name: 'Home Assistant',
    parts: Object.entries({ state: '21.4', unit_of_measurement: '"W"', friendly_name: '"Rain"' }),
    fieldsOf: (some) =>
      Object.assign(
        {},
        ...some.map(([name, text]) => {
          const message = decode(decoders, `homeassistant/sensor/x/${name}`, String(text));
          return readingsOf(message)[0]?.fields;
        }),
      ) as Fields,
  },
  {
    name: 'the native format',
    parts: Object.entries({ power: 1, temperature: 2, timestamp: 'noon', fields: { x: 1 } }),
    fieldsOf: (some) =>
      fieldsIn('engawa/d/readings', { ...Object.fromEntries(some), ts: '2026-11-19T23:30:00Z' }),
  },
  {
    name: 'the buttons of a Shelly i4',
    parts: Object.entries({ 'input:0': push('single_push'), 'input:3': push('long_push') }),
    fieldsOf: (some) => {
      const events = some.map(([component, event]) => ({ component, ...(event as object) }));
      return fieldsIn('shelly-1/events/rpc', { method: 'NotifyEvent', params: { events } });
    },
  },
];

describe('the name of a field', () => {
  it.each(models)(
    'of $name does not depend on other properties of the message',
    ({ parts, fieldsOf }) => {
      const whole = fieldsOf(parts);
      // Each value is in one field, so that no component hides another.
      expect(Object.keys(whole).length).toBeGreaterThanOrEqual(parts.length);
      fc.assert(
        fc.property(
          fc.shuffledSubarray([...parts], { minLength: 1, maxLength: parts.length - 1 }),
          (some) => {
            const rest = parts.filter((part) => !some.includes(part));
            const halves = [fieldsOf(some), fieldsOf(rest)];
            for (const half of halves) expect(whole).toEqual({ ...whole, ...half });
            expect(Object.assign({}, ...halves)).toEqual(whole);
          },
        ),
      );
    },
  );
});
