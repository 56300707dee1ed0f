import { Metrics } from './metrics.ts';

const metrics = new Metrics(
  [
    '# HELP units_total Units.',
    'units_total{operation="Put",unit="write"} 3',
    'units_total{operation="Get",unit="read"} 50',
    'units_total{operation="Update",unit="write"} 4.5',
    'units_total_seconds{unit="write"} 600',
    'plain 1.5',
    '',
  ].join('\n'),
);

it('adds the samples of that name that have the labels', () => {
  expect(metrics.sum('units_total', { unit: 'write' })).toBe(7.5);
  expect(metrics.sum('units_total')).toBe(57.5);
  expect(metrics.sum('plain')).toBe(1.5);
  expect(metrics.sum('absent')).toBe(0);
});

it('returns the CPU of the process in microseconds', () => {
  const text = 'process_cpu_user_seconds_total 1.5\nprocess_cpu_system_seconds_total 0.25\n';
  expect(new Metrics(text).cpu).toBe(1_750_000);
});
