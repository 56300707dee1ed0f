import { inParallel } from '@engawa/http';
import { openBeforeAll, TokenIssuer } from '@engawa/testing';
import { Services } from '../services.ts';
import { Caller, serviceNames } from './caller.ts';
import { changes } from './changes.ts';
import { correctionOfAll, currentOwner, histories, seedWorld } from './histories.ts';
import { secretNumber } from './homes.ts';
import { emptyView, expectedView, getOf, moveOn, viewElsewhere } from './operators-view.ts';
import { renamed, requestsOf } from './requests.ts';
import type { Change } from './changes.ts';
import type { History, World } from './histories.ts';
import type { ViewElsewhere } from './operators-view.ts';
import type { Request } from './requests.ts';

const everyHistory = Object.keys(histories) as History[];

/** The claims of callers without a right to any of the homes. */
const others: Record<string, unknown> = {
  'another home': 'third-*',
  'no home': [],
  'no claim': undefined,
};

const issuer = openBeforeAll(() => TokenIssuer.start());
const services = openBeforeAll(() =>
  Services.start({ ...issuer.environment, AUTH_PLACES_CLAIM: 'places' }),
);
let requests: Request[];
let operator: Caller;
let restricted: Caller;
let cases = 0;

const callerOf = (places: unknown) => Caller.of(services.urls, issuer, { places });

beforeAll(async () => {
  const everyRoute = serviceNames.map((name) => requestsOf(name, services.urls[name]));
  requests = (await Promise.all(everyRoute)).flat();
  operator = await callerOf('*');
  restricted = await callerOf('own-*');
});

function requestOf({ operationId, method, path, body }: Change, world: World): Request {
  const headers = { 'content-type': 'application/json' };
  const sent = { operationId, method, path: path(world), headers, scope: undefined, about: [] };
  return { service: 'registry', ...sent, ...(body && { body: body(world) }) };
}

/** A world of its own for each case, so that no service has cached anything of it. */
async function newWorld(history: History, change?: Change): Promise<World> {
  const number = cases++;
  const status = change?.status ?? 'active';
  const world = await seedWorld(services.table, history, { number, status });
  if (change?.operationId === 'undoCorrection') {
    const path = `/v1/devices/${world.device}/corrections/of-operator`;
    await operator.put('registry', path, correctionOfAll(world));
  }
  return world;
}

interface Outcome extends ViewElsewhere {
  change: unknown[];
  status: number;
}

/** The outcome of a change and the expected one, after the device has moved on to the other home. */
async function afterChange(
  history: History,
  change: Change,
): Promise<Record<'seen' | 'expected', Outcome>> {
  const world = await newWorld(history, change);
  const request = requestOf(change, world);
  const { status } = await restricted.ask(request);
  const told = { change: [change.operationId, change.status, request.body] };
  const seen = { ...told, status };
  const expected = { ...told, status: change.expected(history) };
  if (change.operationId === 'deleteDevice' && status === 204) {
    return { seen: { ...seen, ...emptyView }, expected: { ...expected, ...emptyView } };
  }
  const later = await moveOn(operator, services.table, world);
  const all = expectedView(world, later);
  // The readings of a device that remains pending are hidden; the operator's correction excludes all but the last.
  const isHidden = change.status === 'pending' && expected.status !== 200;
  const isIgnored = change.operationId === 'undoCorrection' && expected.status !== 204;
  const visible = isHidden ? emptyView : { ...all, ...(isIgnored && { counted: 1 }) };
  return {
    seen: { ...seen, ...(await viewElsewhere(operator, world)) },
    expected: { ...expected, ...visible },
  };
}

// First, while the lists of all places are short.
describe.each(everyHistory)('of a device that %s', (history) => {
  it('a restricted caller sees nothing of the time elsewhere, on any route', async () => {
    const world = await newWorld(history);
    const told = new Set<string>();
    const reads = requests.filter(
      ({ method, about }) => method === 'GET' && about.every((owner) => owner === 'own'),
    );
    await inParallel(reads, 8, async (request) => {
      const ofHome = renamed(request, 'own-home', world.home('own'));
      const own = renamed(renamed(ofHome, 'own-hall', 'hall'), 'own-meter', world.device);
      const { text, status } = await restricted.ask(own);
      expect([own, text]).toEqual([own, expect.not.stringMatching(secretNumber)]);
      expect([own, text]).toEqual([own, expect.not.stringContaining(world.home('their'))]);
      if (status === 200 && text.includes('21012')) told.add(own.operationId);
    });
    const isHere = currentOwner(history) === 'own';
    const wasHere = history !== 'was elsewhere';
    const ofDevice = ['getAggregates', 'getFields', 'getLatest', 'getLatestOfMany', 'getReadings'];
    expect([...told].filter((name) => ofDevice.includes(name)).sort()).toEqual(
      isHere ? ofDevice : [],
    );
    expect(told.has('getPlaceReadings')).toBe(wasHere);
  });
});

describe.each(everyHistory)('of a device that %s', (history) => {
  it('a restricted caller changes nothing of the time elsewhere', async () => {
    const outcomes: Awaited<ReturnType<typeof afterChange>>[] = [];
    await inParallel([...changes], 8, async (change) => {
      outcomes.push(await afterChange(history, change));
    });
    expect(outcomes.map(({ seen }) => seen)).toEqual(outcomes.map(({ expected }) => expected));
  });
});

it('every other route that changes something is closed to a restricted caller', async () => {
  const open = new Set(changes.map(({ operationId }) => operationId));
  const closed = requests.filter(
    ({ method, scope, operationId }) =>
      method !== 'GET' && scope !== undefined && !open.has(operationId),
  );
  expect(closed.length).toBeGreaterThan(10);
  for (const request of closed) {
    const { status } = await restricted.ask(request);
    expect([request.operationId, status]).toEqual([request.operationId, 403]);
  }
});

describe.each(Object.entries(others))('a caller with %s', (_, places) => {
  it.each(everyHistory)('changes nothing of a device that %s', async (history) => {
    const caller = await callerOf(places);
    const ofOthers = changes.filter(({ operationId }) => operationId !== 'createPlaces');
    await inParallel(ofOthers, 8, async (change) => {
      const world = await newWorld(history, change);
      const device = getOf('registry', `/v1/devices/${world.device}`);
      const before = await operator.ask(device);
      const { status } = await caller.ask(requestOf(change, world));
      expect([change.operationId, status]).toEqual([change.operationId, 404]);
      expect(await operator.ask(device)).toEqual(before);
    });
  });
});
