import { announcedSeed, randomFrom } from '@engawa/testing';
import * as fc from 'fast-check';
import { Services } from '../services.ts';
import { operationsOf, readContracts } from './contract-operations.ts';
import { furnish, leaveDeadLetters } from './furnish.ts';
import { requestsTo } from './generated-request.ts';
import { RequestPlayer } from './request-player.ts';
import type { ContractOperation, Contracts } from './contract-operations.ts';
import type { GeneratedRequest, RequestContext } from './generated-request.ts';

/** Over all contracts; `REQUESTS=100000` plays more. */
const requests = Number(process.env['REQUESTS'] ?? 20_000);
const atOnce = 6;

const times = ['2026-11-01T00:00:00.000Z', '2026-11-22T12:00:00.000Z', '2026-11-25T00:00:00.000Z'];
const ids = {
  device: ['climate-1', 'other', 'third'],
  place: ['home', 'other'],
  room: ['hall', 'other'],
  type: ['Song', 'Album'],
};

/** Few, so that requests meet each other's items. */
function knownValues(letters: readonly string[]): RequestContext['known'] {
  return {
    parameters: {
      ...ids,
      id: ['climate-1', 'home', 'song-1', 'song-2', 'other', ...letters],
      code: ['invalid-request', 'overloaded'],
      otherType: ids.type,
      from: times.slice(0, 2),
      to: times.slice(1),
      timeZone: ['UTC', 'Asia/Kolkata', 'America/New_York'],
      every: ['PT15M', 'PT1H', 'P1D'],
      name: ['byTitle', 'byYear'],
      relation: ['cover'],
      fields: ['temperature', 'temperature,humidity'],
    },
    bodies: {
      ...ids,
      id: ['climate-1', 'home', 'song-1', 'song-2', 'other'],
      ids: [letters],
      since: times,
      to: ids.type,
      name: ['title', 'released', 'cover'],
      attribute: ['title', 'released'],
    },
  };
}

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
});

/** Of each operation as many, in a random order. */
function planned(
  seed: number,
  random: () => number,
): { operation: ContractOperation; request: GeneratedRequest }[] {
  const operations = operationsOf(contracts);
  const known = knownValues(letters);
  const numRuns = Math.ceil(requests / operations.length);
  return operations
    .flatMap((operation) => {
      const context = { schemas: contracts[operation.service].components.schemas, known };
      const sample = fc.sample(requestsTo(operation, context), { seed, numRuns });
      return sample.map((request) => ({ operation, request, order: random() }));
    })
    .toSorted((left, right) => left.order - right.order);
}
