import { decode, fieldsOf, newDecoders, readingsOf, receivedAt } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders('shelly=+/status/#,shelly=+/events/rpc');
const rpc = (payload: unknown) => decode(decoders, 's1/events/rpc', JSON.stringify(payload));

describe('Shelly', () => {
  it('gives each event as a reading', () => {
    const decoded = rpc({
      method: 'NotifyEvent',
      params: {
        ts: 1795131000.5,
        events: [
          { component: 'input:0', id: 0, event: 'double_push', ts: 1795131000.25 },
          { component: 'sys', event: 'ota_success', msg: 'done' },
        ],
      },
    });
    expect(readingsOf(decoded)).toEqual([
      {
        time: 1795131000250,
        fields: { action: 'double_push', 'input:0.event': 'double_push', 'input:0.id': 0 },
      },
      { time: 1795131000500, fields: { 'sys.event': 'ota_success', 'sys.msg': 'done' } },
    ]);
  });

  it('refuses only the invalid event', () => {
    const { drafts } = rpc({
      method: 'NotifyEvent',
      params: { ts: 1795131000, events: [7, { component: 'input:0', event: 'btn_down' }] },
    });
    expect(drafts.map(({ fields }) => Object.keys(fields).length)).toEqual([0, 2]);
  });

  it.each([
    { method: 'NotifyEvent', params: { ts: 1 } },
    { method: 'NotifyStatus', params: { ts: 1 } },
    { method: 'Shelly.GetStatus', params: { id: 1 } },
    { params: { 'switch:0': { output: true } } },
  ])('has no reading in %j', (payload) => {
    expect(rpc(payload).drafts).toEqual([]);
  });

  it('refuses a notification without params', () => {
    expect(rejectionOf(() => rpc({ method: 'NotifyStatus' })).reason).toBe('malformed');
  });

  it('does not use the temperature of the chip as that of the room', () => {
    const status = { 'switch:0': { temperature: { tC: 43.5 } }, 'temperature:0': { tC: 20.5 } };
    const [reading] = readingsOf(rpc({ method: 'NotifyStatus', params: status }));
    expect(reading?.fields).toEqual({ 'switch:0.temperature.tC': 43.5, temperature: 20.5 });
  });

  it('has one name for a quantity of a component', () => {
    const values = { power: 1, voltage: 2 };
    const qualified = (name: string) => ({ [`${name}.power`]: 1, [`${name}.voltage`]: 2 });
    const named = (component: string) =>
      fieldsOf(decoders, `s1/status/${component}`, { apower: 1, voltage: 2 });
    expect(fieldsOf(decoders, 's1/status/em1:0', { act_power: 1, voltage: 2 })).toEqual(
      qualified('em1:0'),
    );
    for (const main of ['switch:0', 'light:0', 'pm1:0']) {
      expect(named(main)).toEqual(values);
    }
    for (const other of [
      'switch:1',
      'switch:00',
      'switch',
      'cover:0',
      'cover:1',
      'rgb:0',
      'cct:0',
      'rgbw:0',
    ]) {
      expect(named(other)).toEqual(qualified(other));
    }
  });

  it('stores no quantity of two components that both are the device', () => {
    const params = { 'switch:0': { apower: 1 }, 'pm1:0': { apower: 2 } };
    const decoded = rpc({ method: 'NotifyStatus', params });
    const { reason, message } = rejectionOf(() => readingsOf(decoded));
    expect([reason, message]).toEqual(['bad_field', 'two fields are called "power"']);
  });

  it.each([[null], [12.48], ['2000-01-01T00:00:12Z']])(
    'has no time while its clock shows %j',
    (ts) => {
      const params = { ts, 'switch:0': { output: true } };
      const [reading] = readingsOf(rpc({ method: 'NotifyStatus', params }));
      expect(reading).toEqual({ time: receivedAt, fields: { 'switch:0.output': true } });
    },
  );

  it('has null if a meter has no value', () => {
    expect(
      fieldsOf(decoders, 's1/status/pm1:0', { apower: null, aenergy: { total: null } }),
    ).toEqual({ power: null, energyImport: null });
  });

  it.each(['s1/status', 's1/status/a/b', 's1/status/Not-One', '/status/', 'a/b/status/x/y'])(
    'ignores %s',
    (topic) => {
      const all = newDecoders('shelly=#');
      expect(decode(all, topic, 'online').drafts).toEqual([]);
    },
  );

  it('accepts a component named like an inherited property', () => {
    expect(fieldsOf(decoders, 's1/status/constructor', { x: 1 })).toEqual({ 'constructor.x': 1 });
  });

  it('gives a value of a Bluetooth device the time of its last report', () => {
    const params = {
      ts: 1795131000,
      'switch:0': { output: true },
      'bthomesensor:200': { id: 200, value: 21.5, last_updated_ts: 1795130000 },
      'bthomesensor:201': { id: 201, value: null, last_updated_ts: 0 },
    };
    expect(readingsOf(rpc({ method: 'NotifyStatus', params }))).toEqual([
      {
        time: 1795131000000,
        fields: {
          'switch:0.output': true,
          'bthomesensor:201.id': 201,
          'bthomesensor:201.value': null,
          'bthomesensor:201.last_updated_ts': 0,
        },
      },
      {
        time: 1795130000000,
        fields: { 'bthomesensor:200.id': 200, 'bthomesensor:200.value': 21.5 },
      },
    ]);
  });
});

describe('on its default topics, Shelly', () => {
  const byDefault = newDecoders('shelly');

  it.each([
    ['renamed/status/switch:0', '{"id":0,"output":true}'],
    ['renamed/status/cloud', '{"connected":true}'],
    ['renamed/events/rpc', '{"method":"NotifyStatus","params":{"switch:0":{"output":true}}}'],
    ['shellyplug-1/status/ble', '{}'],
  ])('takes %s %s', (topic, payload) => {
    expect(decode(byDefault, topic, payload).drafts).toHaveLength(1);
  });

  it.each([
    ['host1/status/uptime', '12345'],
    ['host1/status/uptime', '{"cut'],
    ['knx/status/outdoor', '{"val":21.5,"ts":1795131000000}'],
    ['renamed/status/switch:0', '{"output":true}'],
    ['renamed/status/cloud', '{"disconnected":true}'],
    ['renamed/events/rpc', '{"jsonrpc":"2.0","params":{}}'],
    ['a/status/b/c', 'on'],
  ])('leaves %s %s to others', (topic, payload) => {
    expect(decode(byDefault, topic, payload).isUnproven).toBe(true);
  });

  it('refuses what a device has cut', () => {
    const cut = () => decode(byDefault, 'shellyplug-1/status/cloud', '{"connected"}');
    expect(rejectionOf(cut).reason).toBe('malformed');
  });
});
