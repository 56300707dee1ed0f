import { chartHeap } from './chart-heap.ts';

it('the chart says how large the heap of ingestion is, within the memory that its container may have', () => {
  const { nodeOptions, limitMegabytes } = chartHeap();
  const heap = /--max-old-space-size=(\d+)/.exec(nodeOptions.join(' '))?.[1];
  expect(Number(heap)).toBeGreaterThan(0);
  expect(limitMegabytes).toBeGreaterThan(Number(heap));
});
