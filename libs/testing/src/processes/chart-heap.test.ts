import { chartHeap } from './chart-heap.ts';

it('the chart sets the heap of ingestion below the memory limit of its container', () => {
  const { nodeOptions, limitMegabytes } = chartHeap();
  const heap = /--max-old-space-size=(\d+)/.exec(nodeOptions.join(' '))?.[1];
  expect(Number(heap)).toBeGreaterThan(0);
  expect(limitMegabytes).toBeGreaterThan(Number(heap));
});
