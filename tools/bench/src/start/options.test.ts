import { parseOptions } from '../options.ts';

it('measures the image, the sources and npm start by default', () => {
  expect(parseOptions(['start'])).toEqual({
    subject: 'start',
    repetitions: 5,
    only: ['image', 'sources', 'local'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it('accepts given options', () => {
  const options = ['--repetitions', '2', '--only', 'image', '--node=--max-semi-space-size=1'];
  expect(parseOptions(['start', ...options])).toMatchObject({
    repetitions: 2,
    only: ['image'],
    node: ['--max-semi-space-size=1'],
  });
});

it.each<[string[], string]>([
  [['start', '--repetitions', '0'], '--repetitions'],
  [['start', '--only', 'query'], 'query'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
