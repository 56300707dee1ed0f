import { createLog } from './log.ts';
import { diagnosticLog } from './diagnostic-log.ts';

function openLog() {
  const lines: { msg: string; suppressed?: number }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as never) };
  const clock = { ms: 0 };
  const log = createLog({ name: 'test', level: 'warn', destination });
  return { lines, clock, diagnostics: diagnosticLog(log, () => clock.ms) };
}

it('logs a repeated warning once in five minutes, with the number of suppressed repetitions', () => {
  const { lines, clock, diagnostics } = openLog();
  for (let index = 0; index < 100; index += 1) {
    diagnostics.error(JSON.stringify({ message: `Dropped ${index} spans`, stack: 'at x' }));
    clock.ms += 5000;
  }
  expect(lines).toMatchObject([
    { msg: 'tracing: Dropped 0 spans' },
    { msg: 'tracing: Dropped 60 spans', suppressed: 59 },
  ]);
});

it('distinguishes different warnings', () => {
  const { lines, diagnostics } = openLog();
  diagnostics.warn('Unsupported OTLP traces protocol');
  diagnostics.error('Not Found');
  diagnostics.error('Not Found');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'tracing: Unsupported OTLP traces protocol',
    'tracing: Not Found',
  ]);
});

it('remembers a bounded number of different warnings', () => {
  const { lines, diagnostics } = openLog();
  for (let index = 1; index < 1000; index += 1) diagnostics.warn('x'.repeat(index));
  expect(lines).toHaveLength(33);
});
