import { Births } from './sparkplug-births.ts';
import type { Metric } from './sparkplug-payload.ts';

const metric = (name: string, alias: number): Metric => ({
  name,
  alias: String(alias),
  timestamp: undefined,
  datatype: 1,
  value: { kind: 'scalar', value: null },
});
const birth = (...metrics: Metric[]) => ({ timestamp: undefined, metrics });

describe('what is remembered of births', () => {
  it('is forgotten of the node not heard of for the longest time', () => {
    const births = new Births({ nodes: 2, metrics: 100 });
    births.replace('a', '', birth(metric('x', 1)));
    births.replace('b', '', birth(metric('x', 1)));
    expect(births.byAlias('a', '', '1')?.name).toBe('x');
    births.replace('c', '', birth(metric('x', 1)));
    expect(births.byAlias('b', '', '1')).toBeUndefined();
    expect(births.byAlias('a', '', '1')?.name).toBe('x');
    expect(births.size.nodes).toBe(2);
  });

  it('is bounded however many devices and metrics there are', () => {
    const births = new Births({ nodes: 100, metrics: 50 });
    for (let count = 0; count < 1000; count += 1) {
      const metrics = Array.from({ length: count % 7 }, (_, index) => metric(`m${index}`, index));
      births.replace(`n${count % 13}`, `d${count}`, birth(...metrics));
      expect(births.size.metrics).toBeLessThanOrEqual(50);
    }
    births.replace('n', 'd', birth(metric('x'.repeat(10_000), 1)));
    expect(births.size).toEqual({ nodes: 0, metrics: 0 });
  });

  it('is counted off when it is replaced', () => {
    const births = new Births({ nodes: 10, metrics: 50 });
    for (let count = 0; count < 100; count += 1) births.replace('a', '', birth(metric('x', 1)));
    expect(births.size).toEqual({ nodes: 1, metrics: 2 });
  });
});
