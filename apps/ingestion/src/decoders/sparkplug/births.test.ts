import { Births } from './births.ts';
import type { KnownBirth } from './known-birth.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-20T00:00:00Z');
const metric = (name: string, alias: number) => ({ name, alias: String(alias), datatype: 1 });
type BornMetric = ReturnType<typeof metric>;

const received = (node: string, device: string, timestamp: number, ...metrics: BornMetric[]) => ({
  node,
  device,
  timestamp,
  metrics,
  bdSeq: undefined,
});

/** The meaning of alias 1 of node `n` in data. */
function nameOf(births: Births, timestamp: number, receivedAt?: number): string | undefined {
  const data = { node: 'n', device: '', timestamp, receivedAt: receivedAt ?? start };
  return births.mappingFor({ ...data, isReplayed: receivedAt !== undefined })?.byAlias('1')?.name;
}

describe('births in memory', () => {
  const nameIn = (births: Births, node: string) =>
    births
      .mappingFor({ node, device: '', timestamp: start, receivedAt: start, isReplayed: false })
      ?.byAlias('1')?.name;

  it('are evicted for the node that has been silent longest', () => {
    const births = new Births({ nodes: 2, metrics: 100 });
    for (const node of ['a', 'b']) births.add(received(node, '', start, metric('x', 1)), start);
    expect(nameIn(births, 'a')).toBe('x');
    births.add(received('c', '', start, metric('x', 1)), start);
    expect([nameIn(births, 'a'), nameIn(births, 'b')]).toEqual(['x', undefined]);
    expect(births.size.nodes).toBe(2);
  });

  it('are bounded for any number of devices and metrics', () => {
    const births = new Births({ nodes: 100, metrics: 50 });
    for (let count = 0; count < 1000; count += 1) {
      const metrics = Array.from({ length: count % 7 }, (_, index) => metric(`m${index}`, index));
      births.add(received(`n${count % 13}`, `d${count}`, start + count, ...metrics), start);
      expect(births.size.metrics).toBeLessThanOrEqual(50);
    }
    births.add(received('n', 'd', start, metric('x'.repeat(10_000), 1)), start);
    expect(births.size).toEqual({ nodes: 0, metrics: 0 });
  });

  it('are the last 16 per device, with equal mappings once', () => {
    const births = new Births();
    const evicted: KnownBirth[] = [];
    for (let count = 0; count < 100; count += 1) {
      const change = births.add(received('n', '', start + count, metric('x', 1)), start);
      evicted.push(...(change?.evicted ?? []));
    }
    expect(births.size.metrics).toBe(1 + 16 + 1);
    expect(evicted.map(({ timestamp }) => timestamp - start)).toEqual([...Array(84).keys()]);
    expect([nameOf(births, start + 83), nameOf(births, start + 84)]).toEqual([undefined, 'x']);
  });
});

describe('a node', () => {
  it('of a node whose clock is not set apply in the order of receipt', () => {
    const births = new Births();
    births.add(received('n', '', start, metric('a', 1)), start);
    // It boots in 1970, and sets its clock later.
    births.add(received('n', '', 5000, metric('b', 1)), start + day);
    expect(nameOf(births, start + day + 1000)).toBe('b');
    births.add(received('n', '', 4000, metric('c', 1)), start + 2 * day);
    expect(nameOf(births, 4500)).toBe('c');
    expect(nameOf(births, start + 1000, start + 1000)).toBe('a');
    expect(nameOf(births, start + day + 1000, start + day + 1000)).toBe('b');
  });

  it('whose birth is received again over another connection has no second one', () => {
    const births = new Births();
    expect(births.add(received('n', '', 5000, metric('a', 1)), start)).toBeDefined();
    expect(births.add(received('n', '', 6000, metric('b', 1)), start)).toBeDefined();
    expect(births.add(received('n', '', 5000, metric('a', 1)), start)).toBeUndefined();
    expect(nameOf(births, start)).toBe('b');
  });

  it('that has died is unknown until the next birth, except for data received before', () => {
    const births = new Births();
    births.add(received('n', '', start, metric('a', 1)), start);
    const birth = births.current('n', '');
    if (birth === undefined) throw new Error('no birth');
    births.end(birth, start + 1000);
    expect(nameOf(births, start + 900)).toBeUndefined();
    expect(nameOf(births, start + 900, start + 950)).toBe('a');
    births.add(received('n', '', start + 2000, metric('b', 1)), start + 2000);
    expect(nameOf(births, start + 2001)).toBe('b');
  });
});

describe('a birth in use', () => {
  it('is stored again before it expires', () => {
    const renewed: KnownBirth[] = [];
    const births = new Births(undefined, (birth) => renewed.push(birth));
    births.add(received('n', '', start, metric('a', 1)), start);
    const data = { node: 'n', device: '', timestamp: start + 1, isReplayed: false };
    for (let count = 0; count < 100; count += 1) {
      births.mappingFor({ ...data, receivedAt: start + count * day });
    }
    expect(renewed).toHaveLength(3);
  });
});
