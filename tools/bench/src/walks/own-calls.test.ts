import { ownCalls, walkOf } from './own-calls.ts';

const root = 'file:///checkout/';

function script(path: string, ...counts: number[]) {
  const functions = counts.map((count, index) => ({
    ranges: [
      { startOffset: index * 100, count },
      { startOffset: index * 100 + 10, count: 1000 },
    ],
  }));
  return { url: root + path, functions };
}

it('only functions of apps and libs count, and not their blocks', () => {
  const scripts = [
    script('apps/query/src/main.ts', 2, 0, 3),
    script('libs/keys/src/index.ts', 1),
    script('node_modules/express/index.js', 50),
    { ...script('', 50), url: 'node:internal/timers' },
  ];
  const calls = ownCalls(scripts, root);
  expect(walkOf(calls, new Map())).toEqual({ calls: 6, files: 2 });
});

it('calls that are made at rest do not count', () => {
  const atRest = ownCalls([script('libs/table/src/heat.ts', 4)], root);
  const calls = ownCalls([script('libs/table/src/heat.ts', 4, 2)], root);
  expect(walkOf(calls, atRest)).toEqual({ calls: 2, files: 1 });
  expect(walkOf(atRest, calls)).toEqual({ calls: 0, files: 0 });
});
