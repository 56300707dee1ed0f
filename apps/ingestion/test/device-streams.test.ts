import { deviceKey, placementKey } from '@engawa/keys';
import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - 60 * minutes;
const localTime = (minutes: number) =>
  new Date(minutesAgo(minutes) * 1000).toISOString().slice(0, 19);

/** Publishes the messages in order and waits until each is acknowledged. */
async function publishAll(messages: readonly (readonly [string, unknown])[]): Promise<void> {
  for (const [topic, payload] of messages) await fixture.publish(topic, JSON.stringify(payload));
  await fixture.settled(messages.length);
}

/** The values of the field, in order of time. */
async function seriesOf(device: string, field: string): Promise<unknown[]> {
  const readings = await fixture.readingsOf(device);
  return readings
    .toSorted((a, b) => a.time - b.time)
    .flatMap(({ fields }) => (Object.hasOwn(fields, field) ? [fields[field]] : []));
}

describe('the readings of a device over its life', () => {
  it('keep the two channels of a Shelly 2PM apart, in separate messages or in one', async () => {
    await fixture.start();
    const rpc = (minutes: number, params: object) =>
      [
        'shelly2pm/events/rpc',
        { src: 'x', method: 'NotifyStatus', params: { ts: minutesAgo(minutes), ...params } },
      ] as const;
    const channel = (apower: number, total: number) => ({ apower, aenergy: { total } });
    await publishAll([
      rpc(4, { 'switch:0': channel(100, 1000), 'switch:1': channel(7, 50) }),
      rpc(3, { 'switch:0': channel(101, 1001) }),
      rpc(2, { 'switch:1': channel(8, 51) }),
      rpc(1, { 'switch:1': channel(9, 52), 'switch:0': channel(102, 1002) }),
    ]);
    expect(await seriesOf('shelly2pm', 'power')).toEqual([100, 101, 102]);
    expect(await seriesOf('shelly2pm', 'switch:1.power')).toEqual([7, 8, 9]);
    expect(await seriesOf('shelly2pm', 'energyImport')).toEqual([1, 1.001, 1.002]);
    expect(await seriesOf('shelly2pm', 'switch:1.energyImport')).toEqual([0.05, 0.051, 0.052]);
  });

  it('keep two DS18B20 apart while Tasmota loses one, renumbers them, and finds it again', async () => {
    await fixture.start();
    const sensor = (minutes: number, sections: object) =>
      ['tele/boiler/SENSOR', { Time: localTime(minutes), ...sections, TempUnit: 'C' }] as const;
    const flow = (Temperature: number) => ({ Id: '00000560E0B2', Temperature });
    const back = (Temperature: number) => ({ Id: '00000560E0C9', Temperature });
    await publishAll([
      sensor(5, { 'DS18B20-1': flow(61), 'DS18B20-2': back(21) }),
      sensor(4, { 'DS18B20-2': back(22) }),
      sensor(3, { DS18B20: back(23) }),
      sensor(2, { DS18B20: flow(64) }),
      sensor(1, { 'DS18B20-1': flow(65), 'DS18B20-2': back(25) }),
    ]);
    expect(await seriesOf('boiler', 'DS18B20-00000560E0B2.temperature')).toEqual([61, 64, 65]);
    expect(await seriesOf('boiler', 'DS18B20-00000560E0C9.temperature')).toEqual([21, 22, 23, 25]);
    expect(await seriesOf('boiler', 'temperature')).toEqual([]);
  });

  it('have no field for an energy that the meter did not measure, and none out of range', async () => {
    await fixture.start();
    const meter = (minutes: number, energy: string, power: string) => {
      const updated_at = new Date(minutesAgo(minutes) * 1000).toISOString();
      const properties = [
        { name: 'coefficient', epc: 211, val: '1' },
        { name: 'unit', epc: 225, val: '1' },
        { name: 'normal', epc: 224, val: energy },
        { name: 'measured', epc: 231, val: power },
      ].map((property) => ({ ...property, updated_at }));
      return ['nature/home/smart_meter', { echonetlite_properties: properties }] as const;
    };
    await publishAll([
      meter(4, '182345', '1284'),
      meter(3, '4294967294', '1285'),
      meter(2, '182346', '2147483646'),
      meter(1, '4294967295', '1287'),
    ]);
    expect(await seriesOf('home', 'energyImport')).toEqual([18234.5, 18234.6]);
    expect(await seriesOf('home', 'power')).toEqual([1284, 1285, 1287]);
    expect(await seriesOf('home', 'normal')).toEqual([]);
    const { body } = await fixture.ask('/v1/deadLetters');
    expect(body).toMatchObject({ items: [{ reason: 'bad_number' }] });
  });

  it('get the time of receipt while a Tasmota does not know the time', async () => {
    await fixture.start();
    const before = Date.now();
    await publishAll([['tele/plug/STATE', { Time: '1970-01-01T00:00:12', POWER: 'ON' }]]);
    const [reading] = await fixture.readingsOf('plug');
    expect(reading?.fields).toEqual({ POWER: 'ON' });
    expect(reading?.time).toBeGreaterThanOrEqual(before);
  });

  it('hold the last push of a button, not the empty action that Zigbee2MQTT publishes after it', async () => {
    await fixture.start();
    await publishAll([['zigbee2mqtt/button', { action: 'double' }]]);
    const placement = placementKey('home', 'button');
    await fixture.table.update(deviceKey('button'), { set: { place: 'home' } });
    await fixture.table.put({ ...placement, device: 'button' });
    await fixture.publish('zigbee2mqtt/button', JSON.stringify({ action: 'single', battery: 99 }));
    await fixture.settled(2);
    await fixture.publish('zigbee2mqtt/button', JSON.stringify({ action: '', battery: 98 }));
    await fixture.settled(3);
    expect(await seriesOf('button', 'action')).toEqual(['double', 'single']);
    expect(await seriesOf('button', 'battery')).toEqual([99, 98]);
    expect(await fixture.table.get(placement)).toMatchObject({ lastEvent: { action: 'single' } });
  });
});
