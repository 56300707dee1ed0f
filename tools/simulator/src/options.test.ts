import { OperatorError } from '@engawa/errors';
import { parseOptions } from './options.ts';

it('has defaults for everything', () => {
  expect(parseOptions([], {})).toMatchObject({
    url: 'mqtt://127.0.0.1:1883',
    version: '3.1.1',
    days: 7,
    live: true,
    rate: undefined,
    registryUrl: undefined,
  });
});

it('accepts the environment; the command line has precedence', () => {
  const environment = {
    MQTT_URL: 'mqtt://one',
    MQTT_VERSION: '5',
    REGISTRY_URL: 'http://registry',
  };
  const line = ['--mqtt', 'mqtt://two', '--no-live', '--homes', 'sato,smith', '--rate=50'];
  expect(parseOptions(line, environment)).toMatchObject({
    url: 'mqtt://two',
    version: '5',
    registryUrl: 'http://registry',
    live: false,
    homes: [{ id: 'sato' }, { id: 'smith' }],
    rate: 50,
  });
  expect(parseOptions([], { MQTT_URL: '' })).toMatchObject({ url: 'mqtt://127.0.0.1:1883' });
});

it.each([
  [['--days', 'seven'], '--days must be a whole number from 0 to 365'],
  [['--days', '366'], '--days must be a whole number'],
  [['--rate', '0'], '--rate must be a whole number from 1'],
  [['--homes', 'suzuki'], "there is no home 'suzuki'"],
  [['--version', '4'], '--version (MQTT_VERSION) must be 3.1.1 or 5'],
  [['--registry', 'registry'], '--registry (REGISTRY_URL) must be an http address'],
  [['--unknown'], "Unknown option '--unknown'"],
])('rejects %p with the reason', (line, message) => {
  expect(() => parseOptions(line, {})).toThrow(OperatorError);
  expect(() => parseOptions(line, {})).toThrow(message);
});
