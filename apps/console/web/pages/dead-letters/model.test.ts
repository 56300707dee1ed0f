import { deviceOfTopic, filterLetters, groupLetters, lastDays } from './model.ts';
import type { ListedLetter } from './model.ts';

let count = 0;
function letter(overrides: Partial<ListedLetter> = {}): ListedLetter {
  count += 1;
  return {
    ...{ id: `id-${count}`, reason: 'malformed', detail: 'no JSON', topic: 'engawa/a/readings' },
    receivedAt: new Date(count * 1000).toISOString(),
    ...{ bytes: 3, properties: {} },
    ...overrides,
  };
}

it.each([
  ['engawa/living-room/readings', 'living-room'],
  ['zigbee2mqtt/floor 1/lamp', 'floor 1/lamp'],
  ['tele/plug/SENSOR', 'plug'],
  ['homeassistant/sensor/kitchen/state', 'sensor.kitchen'],
  ['spBv1.0/plant/DDATA/edge/pump', 'plant/edge/pump'],
  ['spBv1.0/plant/NBIRTH/edge', 'plant/edge'],
  ['nature/remo/smart_meter', 'remo'],
  ['shellyplus1-a/status/switch:0', 'shellyplus1-a'],
  ['shellyplus1-a/events/rpc', 'shellyplus1-a'],
  ['other/topic', 'other/topic'],
])('the topic %s names the device %s', (topic, device) => {
  expect(deviceOfTopic(topic)).toBe(device);
});

it('groups by reason, the most frequent first, and by device, the newest first', () => {
  const letters = [
    letter({ reason: 'bad_time' }),
    letter(),
    letter({ topic: 'engawa/b/readings' }),
    letter(),
  ];
  const groups = groupLetters(letters);
  expect(groups.map(({ reason, count: size }) => [reason, size])).toEqual([
    ['malformed', 3],
    ['bad_time', 1],
  ]);
  expect(groups[0]?.devices.map(({ device, letters: some }) => [device, some.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(groups[0]?.devices[0]?.letters[0]).toBe(letters[3]);
});

it('finds dead letters by topic, detail and id', () => {
  const letters = [
    letter({ topic: 'x/Kitchen' }),
    letter({ detail: 'kitchen is closed' }),
    letter(),
  ];
  expect(filterLetters(letters, ' KITCHEN ')).toHaveLength(2);
  expect(filterLetters(letters, letters[2]?.id ?? '')).toEqual([letters[2]]);
});

it('names the last days in UTC', () => {
  expect(lastDays(2, Date.parse('2026-03-01T00:30:00Z'))).toEqual(['2026-03-01', '2026-02-28']);
});
