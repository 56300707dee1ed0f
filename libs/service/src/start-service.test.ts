import { z } from 'zod';
import type { ServiceContext } from './service-context.ts';
import { serviceSettings } from './settings/settings.ts';
import { startService } from './start-service.ts';

const settings = z.object({ ...serviceSettings, PORT: z.coerce.number().default(8080) });
type Context = ServiceContext<z.output<typeof settings>>;

function begin(start: (context: Context) => void | Promise<void>, environment = {}) {
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const module = { settings, start };
  const starting = startService({ name: 'query', module, environment, logDestination });
  return { starting, lines };
}

it('passes the settings and the metrics of the process to the module', async () => {
  const { starting } = begin(() => undefined, { PORT: '1' });
  const { context, close } = await starting;
  expect(context.config).toEqual({
    PORT: 1,
    LOG_LEVEL: 'info',
    SHUTDOWN_TIMEOUT_MS: 25_000,
    SHUTDOWN_DRAIN_MS: 0,
  });
  const metrics = await context.registry.metrics();
  expect(metrics).toContain('process_cpu_seconds_total');
  const [, limit] = /^engawa_memory_limit_bytes (\S+)$/m.exec(metrics) ?? [];
  expect(Number(limit)).toBeGreaterThan(process.memoryUsage().rss);
  await close();
});

it('is not ready while it starts and while it closes', async () => {
  const seen: unknown[] = [];
  const { starting } = begin(({ readiness, onClose }) => {
    let table: string | undefined = 'it cannot be reached';
    readiness.require('table', () => table);
    onClose('table', () => void seen.push(readiness.unavailableReasons()));
    seen.push(readiness.unavailableReasons());
    table = undefined;
  });
  const { context, close } = await starting;
  expect(context.readiness.unavailableReasons()).toEqual([]);
  await close();
  expect(seen).toEqual([
    [
      { name: 'process', reason: 'it is starting', blocks: true },
      { name: 'table', reason: 'it cannot be reached', blocks: true },
    ],
    [{ name: 'process', reason: 'it is closing', blocks: true }],
  ]);
});

it('closes in reverse order, once, and waits for each step', async () => {
  const closed: string[] = [];
  const { starting } = begin(({ onClose, signal }) => {
    onClose('first', () => void closed.push(`first ${signal.aborted}`));
    onClose('second', async () => {
      await new Promise(setImmediate);
      closed.push('second');
    });
  });
  const { close } = await starting;
  await Promise.all([close(), close()]);
  expect(closed).toEqual(['second', 'first true']);
});

it('closes opened parts when the start fails, and throws its error', async () => {
  const closed: string[] = [];
  const failure = new Error('no');
  const { starting, lines } = begin(({ onClose }) => {
    onClose('first', () => void closed.push('first'));
    onClose('second', () => {
      throw new Error('stuck');
    });
    throw failure;
  });
  await expect(starting).rejects.toBe(failure);
  expect(closed).toEqual(['first']);
  expect(lines.join('')).toContain('stuck');
});

it('closes a part at once that is opened too late, and logs a part that could not be closed', async () => {
  const { starting, lines } = begin(({ onClose }) =>
    onClose('broken', () => {
      throw new Error('stuck');
    }),
  );
  const { context, close } = await starting;
  await expect(close()).rejects.toThrow(AggregateError);
  const closed = new Promise<void>((resolve) => context.onClose('late', resolve));
  await closed;
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ msg: 'shutdown step failed', step: 'broken' }),
  );
});

it('rejects invalid settings before any part is opened', async () => {
  let opened = false;
  const { starting } = begin(() => void (opened = true), { PORT: 'x' });
  await expect(starting).rejects.toThrow('PORT is "x"; it must be a number');
  expect(opened).toBe(false);
});
