import { settings } from '../config.ts';
import { chooseDecoders, createDecoders } from './index.ts';

const chosen = (text: string) =>
  createDecoders(chooseDecoders(text), {
    deviceIds: 'distinct',
    timeZone: 'UTC',
    tasmotaMainSensors: [],
  }).map(({ name, filters, unshared }) => ({
    name,
    filters: filters.map((filter) => filter.text),
    unshared,
  }));

describe('DECODERS', () => {
  it('chooses decoders with their default or other topics', () => {
    expect(chosen('native, zigbee2mqtt=home/z2m/#,zigbee2mqtt=shed/z2m/#')).toEqual([
      { name: 'native', filters: ['engawa/+/readings'], unshared: [] },
      { name: 'zigbee2mqtt', filters: ['home/z2m/#', 'shed/z2m/#'], unshared: [] },
    ]);
  });

  it('selects all decoders by default', () => {
    const { DECODERS: choices } = settings.pick({ DECODERS: true }).parse({});
    expect(choices.map(({ kind }) => kind.name)).toEqual([
      ...[
        'native',
        'zigbee2mqtt',
        'tasmota',
        'statestream',
        'sparkplug',
        'echonet',
        'shelly',
        'smarthome',
      ],
    ]);
  });

  it.each([
    ['', '"" is not a decoder; there are native, '],
    ['native,zigbee', '"zigbee" is not a decoder; there are native, '],
    ['native=', '"" is empty'],
    ['native=a/#/b', '"a/#/b" has a # that is not its last level'],
    ['sparkplug=plant/#', '"plant/#" must have the level spBv1.0'],
  ])('of %j is refused in one message', (text, message) => {
    const { error } = settings.pick({ DECODERS: true }).safeParse({ DECODERS: text });
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.message).toContain(message);
  });

  it.each([
    ['sparkplug', ['spBv1.0/+/NBIRTH/+', 'spBv1.0/+/DBIRTH/+/+']],
    ['sparkplug=spBv1.0/#', ['spBv1.0/+/NBIRTH/+', 'spBv1.0/+/DBIRTH/+/+']],
    ['sparkplug=spBv1.0/plant/+/+/#', ['spBv1.0/plant/NBIRTH/+', 'spBv1.0/plant/DBIRTH/+/+']],
    ['sparkplug=site/spBv1.0/+/+/+', ['site/spBv1.0/+/NBIRTH/+']],
    ['sparkplug=spBv1.0/+/NDATA/+', []],
  ])('of %j has births that are not shared: %j', (text, unshared) => {
    expect(chosen(text)[0]?.unshared).toEqual(unshared);
  });
});

describe('TASMOTA_MAIN_SENSORS', () => {
  it('are sections', () => {
    const sensors = settings.pick({ TASMOTA_MAIN_SENSORS: true });
    expect(sensors.parse({})).toEqual({ TASMOTA_MAIN_SENSORS: ['AM2301', 'DHT11'] });
    expect(sensors.parse({ TASMOTA_MAIN_SENSORS: 'BME280, SI7021' })).toEqual({
      TASMOTA_MAIN_SENSORS: ['BME280', 'SI7021'],
    });
  });
});

describe('TASMOTA_TIME_ZONE', () => {
  it('must be a time zone', () => {
    const zone = settings.pick({ TASMOTA_TIME_ZONE: true });
    expect(zone.parse({})).toEqual({ TASMOTA_TIME_ZONE: 'UTC' });
    expect(zone.safeParse({ TASMOTA_TIME_ZONE: 'Asia/Tokyo' }).success).toBe(true);
    expect(zone.safeParse({ TASMOTA_TIME_ZONE: 'Asia/Edo' }).success).toBe(false);
  });
});
