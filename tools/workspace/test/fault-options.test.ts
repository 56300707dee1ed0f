import { parseOptions } from '../src/fault-options.ts';

describe('options of the injected faults', () => {
  it.each([
    [[], { seeds: [undefined], jestArguments: [] }],
    [['--seeds', '2'], { seeds: ['1', '2'], jestArguments: [] }],
    [['--seeds', '2', '--first', '7'], { seeds: ['7', '8'], jestArguments: [] }],
    [
      ['-t', 'half open', 'network'],
      { seeds: [undefined], jestArguments: ['-t', 'half open', 'network'] },
    ],
    [['--help'], 'help'],
  ])('%j', (args, expected) => {
    expect(parseOptions(args)).toEqual(expected);
  });

  it.each([[['--seeds', 'all']], [['--seeds', '0']], [['--first', '1.5']], [['--seed', '1']]])(
    '%j names the option',
    (args) => {
      expect(() => parseOptions(args)).toThrow(args[0]);
    },
  );
});
