import { areaOf } from './area.ts';
import { functionNameOf, sharesOf } from './shares.ts';

const root = 'file:///work';

it.each([
  ['(idle)', '', undefined],
  ['(garbage collector)', '', 'garbage collection'],
  ['(program)', '', 'native code and system calls'],
  ['pack', `${root}/apps/ingestion/src/storing/packer.ts`, 'apps/ingestion'],
  ['sign', `${root}/node_modules/@smithy/signature-v4/dist-cjs/index.js`, 'AWS SDK'],
  ['parse', `${root}/node_modules/mqtt/node_modules/mqtt-packet/parser.js`, 'mqtt-packet'],
  ['update', 'node:internal/crypto/hash', 'Node: crypto'],
  ['write', 'node:net', 'Node: HTTP, sockets, streams'],
  ['compile', 'node:internal/modules/esm/utils', 'Node: loading modules'],
  ['from', 'node:buffer', 'Node: other'],
])('the own time of %s %s belongs to %s', (functionName, url, area) => {
  expect(areaOf({ functionName, url })).toBe(area);
});

it('adds own time, and leaves out idle time', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: { functionName: '(idle)', url: '' } },
      { id: 2, callFrame: { functionName: 'keyOf', url: `${root}/libs/keys/src/tuple.ts` } },
      { id: 3, callFrame: { functionName: '(garbage collector)', url: '' } },
    ],
    samples: [1, 2, 3, 2],
    timeDeltas: [1000, 20, 10, 10],
  };
  expect(sharesOf(profile)).toEqual([
    { name: 'libs/keys', time: 30, share: 0.75 },
    { name: 'garbage collection', time: 10, share: 0.25 },
  ]);
  expect(sharesOf(profile, functionNameOf)).toEqual([
    { name: 'keyOf tuple.ts (libs/keys)', time: 30, share: 1 },
  ]);
});
