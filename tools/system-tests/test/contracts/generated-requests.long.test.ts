import { announcedSeed, randomFrom, scaled } from '@engawa/testing';
import * as fc from 'fast-check';
import { Services } from '../services.ts';
import { operationsOf, readContracts } from './contract-operations.ts';
import { seedServices, leaveDeadLetters } from './seed-services.ts';
import { requestsTo } from './generated-request.ts';
import { knownValues } from './known-values.ts';
import { RequestPlayer } from './request-player.ts';
import { RequestResults } from './request-results.ts';
import type { ContractOperation, Contracts } from './contract-operations.ts';
import type { GeneratedRequest } from './generated-request.ts';

/** Over all contracts. */
const requests = scaled(6000);
const atOnce = 6;
/** Share of requests per round, until each operation has succeeded. */
const moreRounds = 4;

it(`${requests} generated requests receive responses that match the contracts`, async () => {
  const seed = announcedSeed('generated requests');
  const random = randomFrom(seed);
  const results = new RequestResults();
  await playRound({ seed, random, results, requests });
  // Each operation has succeeded at least once. Some seeds delete early what an operation needs, or
  // declare a type that no later request can change back: then another round begins with an empty
  // table.
  for (let round = 1; round <= moreRounds && results.unreached().length > 0; round += 1) {
    await playRound({ seed: seed + round, random, results, requests: requests / 4 });
  }
  expect(results.unreached()).toEqual([]);
  // A streamed response may break off (docs/http.md), but rarely.
  expect(results.brokenOff).toBeLessThan(requests / 200);
});

interface Round {
  seed: number;
  random: () => number;
  requests: number;
  results: RequestResults;
}

/** Over an empty table with one of each thing. */
async function playRound({ seed, random, results, requests: count }: Round): Promise<void> {
  // A type is deleted within a request's deadline, also while many others are being deleted.
  const services = await Services.start({ TYPE_SETTLE_MS: '2000' });
  try {
    const contracts = await readContracts(services);
    await seedServices(services);
    const deadLetters = await leaveDeadLetters(services);
    const player = new RequestPlayer({ services, contracts, random, results });
    await playAll(player, planned({ seed, count, random, contracts, deadLetters }));
  } finally {
    await services.close();
  }
}

interface Planned {
  operation: ContractOperation;
  request: GeneratedRequest;
}

async function playAll(player: RequestPlayer, plan: Planned[]): Promise<void> {
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = plan.pop(); next !== undefined; next = plan.pop()) {
      await player.play(next.operation, next.request);
    }
  });
  await Promise.all(workers);
}

interface Planning extends Pick<Round, 'seed' | 'random'> {
  count: number;
  contracts: Contracts;
  /** Ids of dead letters. */
  deadLetters: readonly string[];
}

/** Equally many requests per operation, in random order. */
function planned({ seed, count, random, contracts, deadLetters }: Planning): Planned[] {
  const operations = operationsOf(contracts);
  const numRuns = Math.ceil(count / operations.length);
  return operations
    .flatMap((operation) => {
      const { schemas } = contracts[operation.service].components;
      const context = { schemas, known: knownValues(operation, deadLetters) };
      const sample = fc.sample(requestsTo(operation, context), { seed, numRuns });
      return sample.map((request) => ({ operation, request, order: random() }));
    })
    .toSorted((left, right) => left.order - right.order);
}
