import { Random } from '../../src/kernel/random.ts';
import { RandomRequests } from './random-requests.ts';
import { settle, simulateTable, TableName } from './simulated-table.ts';

/** The responses to 500 requests, some of them concurrent, in a world with faults. */
async function transcript(seed: number): Promise<string> {
  const random = new Random(seed);
  const table = simulateTable(
    {
      indexLagMs: () => random.integer(0, 300),
      ttlDelayMs: () => random.integer(0, 48 * 3_600_000),
      latencyMs: { from: 1, to: 20 },
      transactionMs: { from: 1, to: 20 },
    },
    seed,
  );
  table.endpoint.faults.set([
    { fault: { kind: 'throttle' }, probability: 0.05 },
    { fault: { kind: 'unprocessed' }, probability: 0.1 },
    { fault: { kind: 'error', when: 'after' }, probability: 0.02 },
    { fault: { kind: 'slow', delayMs: 50 }, probability: 0.1 },
    { fault: { kind: 'lost' }, probability: 0.02 },
  ]);
  const requests = new RandomRequests(random.fork(), TableName);
  const lines: string[] = [];
  for (let number = 0; number < 500; number++) {
    const { operation, input } = requests.next();
    void table.endpoint.answer(operation, input).then((answer) => {
      lines.push(`${table.agenda.now()} ${number} ${JSON.stringify(answer)}`);
    });
    await settle();
    await table.play(8);
  }
  await table.play(1000);
  expect(lines).toHaveLength(500);
  const state = JSON.stringify([...table.model.items()]);
  return [...lines, state, JSON.stringify([table.model.usage.read(), table.endpoint.met])].join(
    '\n',
  );
}

it('repeats the same results for the same seed', async () => {
  const first = await transcript(1);
  expect(await transcript(1)).toBe(first);
  expect(await transcript(2)).not.toBe(first);
  // Each kind of fault occurred.
  for (const sign of ['"lost"', 'TransactionConflict', 'Throttling', '"slow"', 'InternalServer']) {
    expect(first).toContain(sign);
  }
});
