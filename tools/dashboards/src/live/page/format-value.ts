/** The scales of each unit: the least value, and the suffix; the smallest first. */
export const unitScales: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
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

/**
 * A value as Grafana writes it with this unit. Pages hold its text, so it uses nothing but `unitScales`.
 * @param step how far apart values next to it are, as on an axis
 */
export function formatValue(value: number, unit: string, decimals?: number, step = 0): string {
  const suffix = unit.startsWith('suffix:') ? ` ${unit.slice(7)}` : '';
  const scale = unitScales[unit] ?? [[1, suffix] as const];
  const size = Math.max(Math.abs(value), step);
  const plain = scale.find(([from]) => from === 1) ?? scale[0] ?? [1, ''];
  const fitting = scale.findLast(([from]) => size >= from * (1 - 1e-9)) ?? scale[0] ?? plain;
  const [factor, name] = size === 0 ? plain : fitting;
  const scaled = value / factor;
  const wholeAt = (digits: number): boolean => {
    const shifted = (step / factor) * 10 ** digits;
    return Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted;
  };
  // Three digits that say something; or on an axis, as many as tell its places apart exactly.
  const significant = scaled === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(scaled)));
  const ofAxis = [0, 1, 2, 3, 4, 5].find(wholeAt) ?? 2;
  const digits = decimals ?? (step === 0 ? Math.min(Math.max(significant, 0), 5) : ofAxis);
  const fixed = scaled.toFixed(digits);
  const text = decimals === undefined && step === 0 ? String(Number(fixed)) : fixed;
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
