/** The scales of each unit, ascending: the smallest value, and the suffix. */
const unitScales: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  s: [
    [1e-6, ' µs'],
    [1e-3, ' ms'],
    [1, ' s'],
    [60, ' min'],
    [3600, ' hour'],
    [86_400, ' day'],
  ],
  bytes: [
    [1, ' B'],
    [1024, ' KiB'],
    [1_048_576, ' MiB'],
    [1_073_741_824, ' GiB'],
  ],
  short: [
    [1, ''],
    [1e3, ' K'],
    [1e6, ' Mil'],
  ],
  percentunit: [[0.01, '%']],
  currencyUSD: [
    [1, ''],
    [1e3, 'K'],
    [1e6, 'M'],
  ],
  reqps: [[1, ' req/s']],
  wps: [[1, ' wr/s']],
  rps: [[1, ' rd/s']],
  ops: [[1, ' ops/s']],
  cps: [[1, ' c/s']],
  mps: [[1, ' msg/s']],
};

/** A value as Grafana formats it with this unit. */
export function formatValue(value: number, unit: string, decimals?: number): string {
  const suffix = unit.startsWith('suffix:') ? ` ${unit.slice(7)}` : '';
  const scale = unitScales[unit] ?? [[1, suffix] as const];
  const plain = scale.find(([from]) => from === 1) ?? scale[0] ?? [1, ''];
  const fitting = scale.findLast(([from]) => Math.abs(value) >= from * (1 - 1e-9));
  const [factor, name] = value === 0 ? plain : (fitting ?? scale[0] ?? plain);
  const scaled = value / factor;
  // Three significant digits.
  const digits = scaled === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(scaled)));
  const text =
    decimals === undefined
      ? String(Number(scaled.toFixed(Math.min(Math.max(digits, 0), 5))))
      : scaled.toFixed(decimals);
  return `${unit === 'currencyUSD' ? '$' : ''}${text}${name}`;
}

const durations: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** Grafana's unit `dtdurations`: the largest unit of time alone. */
export function formatDuration(seconds: number): string {
  const [size, name] = durations.find(([least]) => seconds >= least) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
