import { deviceOf, distinguished, matches, topicFilter } from './topic-filter.ts';

describe('a topic filter', () => {
  it.each([
    ['engawa/+/readings', 'engawa/d/readings', true],
    ['engawa/+/readings', 'engawa//readings', true],
    ['engawa/+/readings', 'engawa/a/b/readings', false],
    ['engawa/+/readings', 'engawa/d/status', false],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['a/#', 'ab', false],
    ['#', 'a/b', true],
    ['#', '$SYS/clients', false],
    ['+/clients', '$SYS/clients', false],
    ['$SYS/#', '$SYS/clients', true],
    ['+', '/a', false],
    ['/+', '/a', true],
  ])('%s on %s: %s', (filter, topic, expected) => {
    expect(matches(topicFilter(filter), topic.split('/'))).toBe(expected);
  });

  it.each(['', 'a/#/b', 'a#', 'a/+b', '$share/group/a', 'a\0', '\ud800', 'x'.repeat(70_000)])(
    'is not %j',
    (text) => {
      expect(() => topicFilter(text)).toThrow(RangeError);
    },
  );
});

describe('the device', () => {
  it.each([
    ['engawa/+/readings', 'engawa/d/readings', 1, 'd'],
    ['zigbee2mqtt/#', 'zigbee2mqtt/kitchen/lamp', 0, 'kitchen/lamp'],
    ['home/z2m/#', 'home/z2m/lamp', 0, 'lamp'],
    ['+/status/#', 'shelly-1/status/switch:0', 2, 'shelly-1'],
    ['shellies/#', 'shellies/floor/s1/status/switch:0', 2, 'floor/s1'],
    ['+/+/tele/SENSOR', 'site/x/tele/SENSOR', 1, 'site/x'],
    ['cellar/plug/events/rpc', 'cellar/plug/events/rpc', 2, 'cellar/plug'],
  ])('by %s of %s without %d levels is %4$s', (filter, topic, dropped, device) => {
    const source = { filter: topicFilter(filter), levels: topic.split('/') };
    expect(deviceOf(source, dropped)).toBe(device);
  });

  it.each([
    [['a/z2m/#', 'b/z2m/#'], 'a/z2m/hall/lamp', 'a/hall/lamp'],
    [['a/#', 'a/b/#'], 'a/b/lamp', 'b/lamp'],
    [['a/+/x', '+/b/x'], 'a/lamp/x', 'a/lamp'],
    [['tele/+/SENSOR', 'tele/+/STATE'], 'tele/plug/SENSOR', 'plug'],
    [['a/lamp/x', 'b/lamp/x'], 'b/lamp/x', 'b/lamp'],
  ])('of the filters %j on %s is %s', (texts, topic, device) => {
    const filters = distinguished(texts.map((text) => topicFilter(text)));
    const levels = topic.split('/');
    const filter = filters.find((candidate) => matches(candidate, levels));
    const dropped = /^(x|SENSOR)$/.test(levels.at(-1) ?? '') ? 1 : 0;
    expect(filter && deviceOf({ filter, levels }, dropped)).toBe(device);
  });

  it('by a default filter has the same name beside other filters', () => {
    const [byDefault] = distinguished([topicFilter('a/#', true), topicFilter('b/#')]);
    expect(byDefault && deviceOf({ filter: byDefault, levels: ['a', 'lamp'] })).toBe('lamp');
  });
});
