import { startService } from '@engawa/service';
import { z } from 'zod';
import { settings } from './config.ts';

interface Property {
  type?: string;
  maximum?: number;
}

const properties = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
  .properties as Record<string, Property>;
const numeric = Object.entries(properties).filter(([, { type = '' }]) =>
  ['integer', 'number'].includes(type),
);

/** The message of the settings error, raised before anything is opened. */
async function refusalOf(environment: Record<string, string>): Promise<string> {
  const start = () => Promise.reject(new Error('the settings were accepted'));
  const starting = startService({ name: 'test', module: { settings, start }, environment });
  return starting.then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

describe('the settings of ingestion', () => {
  it.each(numeric)('bound %s', (_, { maximum }) => {
    expect(maximum).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ['LINGER_MS', '60001', 'a number of at most 60000, or "number,kind=number,…"'],
    ['LINGER_MS', '1000,meter=60001', 'a number of at most 60000'],
    ['RETENTION_DAYS', '36526', 'a number of at most 36525'],
    ['RETENTION_DAYS', '9'.repeat(400), 'a number of at most 36525'],
    ['READING_MAX_AGE_DAYS', '2000000', 'a number, more than 0 and at most 36525'],
    ['READING_MAX_AHEAD_HOURS', '8785', 'a number, more than 0 and at most 8784'],
  ])('refuse %s=%s with a message', async (name, value, sentence) => {
    const refusal = await refusalOf({ [name]: value });
    expect(refusal).toContain(`${name} is "`);
    expect(refusal).toContain(`it must be ${sentence}`);
  });
});
