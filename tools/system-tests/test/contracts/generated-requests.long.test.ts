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

let services: Services;
let contracts: Contracts;
let letters: string[];
beforeAll(async () => {
  services = await Services.start();
  contracts = await readContracts(services);
  await furnish(services);
  letters = await leaveDeadLetters(services);
});
afterAll(() => services.close());

it(`${requests} generated requests get answers that are in the contracts`, async () => {
  const seed = announcedSeed('generated requests');
  const random = randomFrom(seed);
  const player = new RequestPlayer({ services, contracts, random });
  const plan = planned(seed, random);
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = plan.pop(); next !== undefined; next = plan.pop()) {
      await player.play(next.operation, next.request);
    }
  });
  await Promise.all(workers);
  // Each operation has done what it is for at least once.
  const unreached = [...player.statuses].filter(
    ([, counts]) => ![...counts.keys()].some((status) => status < 400),
  );
  expect(unreached).toEqual([]);
  // An answer in rows may break off, which is in its contract (docs/http.md); rarely.
  expect(player.brokenOff).toBeLessThan(requests / 200);
});

/** Of each operation as many, in a random order. */
function planned(
  seed: number,
  random: () => number,
): { operation: ContractOperation; request: GeneratedRequest }[] {
  const operations = operationsOf(contracts);
  const numRuns = Math.ceil(requests / operations.length);
  return operations
    .flatMap((operation) => {
      const { schemas } = contracts[operation.service].components;
      const context = { schemas, known: knownValues(operation, letters) };
      const sample = fc.sample(requestsTo(operation, context), { seed, numRuns });
      return sample.map((request) => ({ operation, request, order: random() }));
    })
    .toSorted((left, right) => left.order - right.order);
}
