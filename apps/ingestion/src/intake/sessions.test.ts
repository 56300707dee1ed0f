import { createDecoders, chooseDecoders } from '../decoders/index.ts';
import { sessionsOf } from './sessions.ts';
import type { SessionSettings } from './sessions.ts';

const decodersOf = (text: string) =>
  createDecoders(chooseDecoders(text), {
    deviceIds: 'distinct',
    timeZone: 'UTC',
    tasmotaMainSensors: [],
  });
const decoders = decodersOf('native,sparkplug');

function sessions(settings: Partial<SessionSettings>, client = 'home.engawa-ingestion-0') {
  const defaults = {
    MQTT_GROUP: undefined,
    MQTT_CONNECTIONS: 1,
    MQTT_PARTITIONS: 1,
    MQTT_REPLICAS: 1,
  };
  return sessionsOf({ ...defaults, MQTT_CLIENT_ID: client, ...settings }, decoders);
}
const names = (...args: Parameters<typeof sessions>) =>
  sessions(...args).map(({ clientId }) => clientId);

describe('the sessions of a replica', () => {
  it('are one, named as the replica, that owns every topic', () => {
    expect(sessions({})).toEqual([{ clientId: 'home.engawa-ingestion-0' }]);
  });

  it('are one for each connection of a group', () => {
    expect(names({ MQTT_GROUP: 'g', MQTT_CONNECTIONS: 3 }, 'a')).toEqual(['a', 'a-1', 'a-2']);
  });

  it('with partitions belong to the partitions, not to the replica', () => {
    const settings = { MQTT_PARTITIONS: 5, MQTT_REPLICAS: 2 };
    expect([names(settings, 'a-0'), names(settings, 'a-1'), names(settings, 'a-2')]).toEqual([
      ['a-p0', 'a-p2', 'a-p4'],
      ['a-p1', 'a-p3'],
      [],
    ]);
    expect(names({ MQTT_PARTITIONS: 2 }, 'laptop')).toEqual(['laptop-p0', 'laptop-p1']);
  });

  it.each([
    [{ MQTT_CONNECTIONS: 2 }, 'each would get every message'],
    [{ MQTT_PARTITIONS: 2, MQTT_GROUP: 'g' }, 'two ways to share messages'],
    [{ MQTT_PARTITIONS: 2, MQTT_CONNECTIONS: 2 }, 'its own connection'],
    [{ MQTT_PARTITIONS: 2, MQTT_REPLICAS: 2, MQTT_CLIENT_ID: 'a' }, 'such as -0'],
  ])('are refused with %j', (settings, reason) => {
    expect(() => sessions(settings)).toThrow(reason);
  });
});

describe('partitions', () => {
  const partitions = sessions({ MQTT_PARTITIONS: 8 });
  const owners = (topic: string) =>
    partitions.filter(({ owns }) => owns?.(topic) === true).map(({ clientId }) => clientId);

  it('own each topic once', () => {
    for (let index = 0; index < 100; index += 1) {
      expect(owners(`engawa/device-${index}/readings`)).toHaveLength(1);
    }
  });

  it('own all messages of a Sparkplug edge node and its devices together', () => {
    for (let node = 0; node < 20; node += 1) {
      const types = ['NBIRTH', 'NDATA', 'NDEATH', 'NCMD'];
      const ofNode = types.map((type) => `spBv1.0/home/${type}/node-${node}`);
      const ofDevices = ['DBIRTH', 'DDATA', 'DDEATH'].flatMap((type) =>
        ['a', 'b'].map((device) => `spBv1.0/home/${type}/node-${node}/${device}`),
      );
      expect(new Set([...ofNode, ...ofDevices].flatMap(owners)).size).toBe(1);
    }
  });
});
