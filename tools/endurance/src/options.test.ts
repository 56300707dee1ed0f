import { parseOptions } from './options.ts';

describe('the options of endurance', () => {
  it('have defaults: ten minutes, 300,000 readings, Mosquitto', () => {
    expect(parseOptions(['--seed', '7'])).toEqual({
      ...{ broker: 'mosquitto', sharing: 'partitions', external: undefined },
      ...{ minutes: 10, readings: 300_000, seed: 7 },
    });
    expect(parseOptions(['--help'])).toBe('help');
  });

  it('accept the commands of an external broker', () => {
    const commands = ['--broker-url', 'mqtt://b', '--broker-down', 'd', '--broker-up', 'u'];
    expect(parseOptions(['--broker', 'external', ...commands])).toMatchObject({
      external: { url: 'mqtt://b', down: 'd', up: 'u' },
    });
  });

  it.each([
    [['--broker', 'emqx'], '--broker must be mosquitto, embedded, external'],
    [['--sharing', 'x'], '--sharing must be'],
    [['--minutes', '0'], '--minutes must be a number above 0'],
    [['--broker', 'external'], 'needs --broker-url'],
    [['--other'], '--help lists the options'],
  ])('reject %j', (args, sentence) => {
    expect(() => parseOptions(args)).toThrow(sentence);
  });
});
