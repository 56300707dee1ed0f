import { openBeforeAll } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());

const decoders = [
  ...['statestream=tower-a/+/+/+', 'statestream=tower-b/+/+/+', 'statestream=+/sensor/+/state'],
  ...['zigbee2mqtt=north/z2m/#', 'zigbee2mqtt=south/z2m/#', 'tasmota'],
].join();

const messages = [
  ['tower-a/sensor/lobby_temp/state', '20.5'],
  ['tower-b/sensor/lobby_temp/state', '18.5'],
  ['esp-kitchen/sensor/temperature/state', '20.4'],
  ['esp-attic/sensor/temperature/state', '9.8'],
  ['north/z2m/hall/lamp', '{"brightness":1}'],
  ['south/z2m/hall/lamp', '{"brightness":2}'],
  ['tele/plug/STATE', '{"POWER":"ON"}'],
] as const;

/** The values of all fields of the devices. */
async function valuesOf(...devices: string[]): Promise<Record<string, unknown[]>> {
  const entries = devices.map(async (device) => {
    const readings = await fixture.readingsOf(device);
    const values = readings.flatMap(({ fields }) => Object.values(fields));
    return [device, values.toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function sendAll(settings: Record<string, string>): Promise<void> {
  await fixture.start({ DECODERS: decoders, ...settings });
  for (const [topic, payload] of messages) await fixture.publish(topic, payload);
  await fixture.settled(messages.length);
  await fixture.service?.close();
}

describe('devices of equal names below several base topics', () => {
  it('are several devices', async () => {
    await sendAll({});
    const ids = [
      ...['tower-a/sensor.lobby_temp', 'tower-b/sensor.lobby_temp'],
      ...['esp-kitchen/sensor.temperature', 'esp-attic/sensor.temperature'],
      ...['north/hall/lamp', 'south/hall/lamp', 'plug'],
    ];
    expect(Object.values(await valuesOf(...ids))).toEqual([
      ...[[20.5], [18.5], [20.4], [9.8], [1], [2], ['ON']],
    ]);
  });

  it('are one with the ids of former versions', async () => {
    await sendAll({ DEVICE_IDS: 'short' });
    expect(await valuesOf('sensor.lobby_temp', 'sensor.temperature', 'hall/lamp')).toEqual({
      'sensor.lobby_temp': [18.5, 20.5],
      'sensor.temperature': [20.4, 9.8].toSorted(),
      'hall/lamp': [1, 2],
    });
  });
});
