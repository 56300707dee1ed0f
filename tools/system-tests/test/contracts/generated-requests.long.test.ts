import { announcedSeed, randomFrom } from '@engawa/testing';
import * as fc from 'fast-check';
import { Services } from '../services.ts';
import { operationsOf, readContracts } from './contract-operations.ts';
import { furnish, leaveDeadLetters } from './furnish.ts';
import { requestsTo } from './generated-request.ts';
import { knownValues } from './known-values.ts';
import { RequestPlayer } from './request-player.ts';
import type { ContractOperation, Contracts } from './contract-operations.ts';
import type { GeneratedRequest } from './generated-request.ts';

/** Over all contracts; `REQUESTS=100000` plays more. */
const requests = Number(process.env['REQUESTS'] ?? 20_000);
const atOnce = 6;
/** Of a quarter of the requests each, while an operation has not been reached. */
const moreRounds = 4;

let services: Services;
let contracts: Contracts;
let letters: string[];
beforeAll(async () => {
  // A type is deleted within a request's deadline, also where many others are under way.
  services = await Services.start({ TYPE_SETTLE_MS: '2000' });
  contracts = await readContracts(services);
  await furnish(services);
  letters = await leaveDeadLetters(services);
});
afterAll(() => services.close());

it(`${requests} generated requests get answers that are in the contracts`, async () => {
  const seed = announcedSeed('generated requests');
  const random = randomFrom(seed);
  const player = new RequestPlayer({ services, contracts, random });
  await playAll(player, planned(seed, requests, random));
  // Each operation has done what it is for at least once; some seeds delete early what an operation needs.
  for (let round = 1; round <= moreRounds && unreachedBy(player).length > 0; round += 1) {
    letters = await leaveDeadLetters(services);
    await playAll(player, planned(seed + round, requests / 4, random));
  }
  expect(unreachedBy(player)).toEqual([]);
  // An answer in rows may break off, which is in its contract (docs/http.md); rarely.
  expect(player.brokenOff).toBeLessThan(requests / 200);
});

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

/** The operations that have only refused so far, with their statuses. */
const unreachedBy = ({ statuses }: RequestPlayer) =>
  [...statuses].filter(([, counts]) => ![...counts.keys()].some((status) => status < 400));

/** Of each operation as many, in a random order. */
function planned(seed: number, count: number, random: () => number): Planned[] {
  const operations = operationsOf(contracts);
  const numRuns = Math.ceil(count / operations.length);
  return operations
    .flatMap((operation) => {
      const { schemas } = contracts[operation.service].components;
      const context = { schemas, known: knownValues(operation, letters) };
      const sample = fc.sample(requestsTo(operation, context), { seed, numRuns });
      return sample.map((request) => ({ operation, request, order: random() }));
    })
    .toSorted((left, right) => left.order - right.order);
}
