import { Registry } from 'prom-client';
import { FrequentCounter } from './frequent-counter.ts';

it('has the events of all label values at each scrape', async () => {
  const registry = new Registry();
  const counter = new FrequentCounter(registry, { name: 'n', help: 'h', labelNames: ['kind'] });
  const frequent = counter.of({ kind: 'a' });
  frequent.count += 2;
  counter.add({ kind: 'b' });
  expect(await registry.metrics()).toContain('n{kind="a"} 2\nn{kind="b"} 1\n');
  expect(counter.of({ kind: 'a' })).toBe(frequent);
  frequent.count += 1;
  expect(await registry.metrics()).toContain('n{kind="a"} 3\nn{kind="b"} 1\n');
});

it('is 0 without labels and events, as every counter', async () => {
  const registry = new Registry();
  const counter = new FrequentCounter(registry, { name: 'n', help: 'h' });
  expect(await registry.metrics()).toContain('n 0\n');
  counter.add({});
  expect(await registry.metrics()).toContain('n 1\n');
});
