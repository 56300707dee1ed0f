import { inParallel } from '@engawa/http';
import { openBeforeAll, TokenIssuer } from '@engawa/testing';
import { Services } from '../services.ts';
import { Caller, serviceNames } from './caller.ts';
import { everything, ownNumber, seedHomes, secretName, secretNumber } from './homes.ts';
import { renamed, requestsOf } from './requests.ts';
import type { Request } from './requests.ts';

/** The `places` claim of tokens; undefined: no claim. */
const claims: Record<string, unknown> = {
  'another place': ['other-home', 'own-hall'],
  'a pattern': 'own-* x*y',
  'a list': ['own-home', 7],
  'no claim': undefined,
};
const ofOwnHome = ['a pattern', 'a list'];

const issuer = openBeforeAll(() => TokenIssuer.start());
const services = openBeforeAll(() =>
  Services.start({ ...issuer.environment, AUTH_PLACES_CLAIM: 'places' }),
);
let requests: Request[];

const callerOf = (places: unknown, scope?: string) =>
  Caller.of(services.urls, issuer, { places, scope });

beforeAll(async () => {
  const everyRoute = serviceNames.map((name) => requestsOf(name, services.urls[name]));
  requests = (await Promise.all(everyRoute)).flat();
  await seedHomes(services, await callerOf('*'));
});

describe('every route of every service', () => {
  it('rejects requests without a token or with a token of another scope', async () => {
    const nobody = new Caller(services.urls, undefined);
    const other = await callerOf('*', 'other:admin');
    const guarded = requests.filter(({ scope }) => scope !== undefined);
    const operations = new Map(guarded.map((request) => [request.operationId, request]));
    expect(operations.size).toBeGreaterThan(50);
    for (const request of operations.values()) {
      expect([request, (await nobody.ask(request)).status]).toEqual([request, 401]);
      expect([request, (await other.ask(request)).status]).toEqual([request, 403]);
    }
  });

  it('returns all data to a caller of all places', async () => {
    const caller = await callerOf('*');
    const told = new Set<string>();
    const reads = requests.filter(({ method }) => method === 'GET');
    // The catalog delays each sequential request that names an unknown type by 100 ms.
    await inParallel(reads, 10, async (request) => {
      const { text } = await caller.ask(request);
      if (text.includes(secretName) || secretNumber.test(text)) told.add(request.operationId);
    });
    expect([...told].sort()).toEqual(
      [
        ...['getDevice', 'listDevices', 'getPlace', 'listDevicesOfPlace', 'listRoomsOfPlace'],
        ...['getCorrection', 'listCorrections'],
        ...['listPlaces', 'listRooms', 'getRoom'],
        ...['getLatest', 'getLatestOfMany', 'getRoomLatest', 'getPlaceLatest'],
        ...['getReadings', 'getRoomReadings', 'getPlaceReadings'],
        ...['getAggregates', 'getRoomAggregates', 'getPlaceAggregates'],
        ...['getFields', 'getRoomFields', 'getPlaceFields'],
        ...['getEntity', 'listEntities'],
        'getTableItems',
      ].sort(),
    );
  });

  it.each(Object.entries(claims))(
    'returns and changes nothing of other places for a caller with %s',
    async (_what, places) => {
      const caller = await callerOf(places);
      const before = await everything(services.table);
      for (const request of requests) {
        const answer = await caller.ask(request);
        const { status } = answer;
        // A room of the caller's own home that does not exist.
        const text = answer.text.replaceAll('ROOM#own-home#their-hall', '');
        expect([request, text]).toEqual([request, expect.not.stringContaining(secretName)]);
        expect([request, text]).toEqual([request, expect.not.stringMatching(secretNumber)]);
        if (!request.about.includes('their')) {
          expect([request, text]).toEqual([request, expect.not.stringContaining('their-')]);
          continue;
        }
        const twin = await caller.ask(renamed(request, 'their-', 'none-'));
        const told = { status, text: text.replaceAll('their-', 'none-') };
        expect([request, told]).toEqual([request, twin]);
      }
      expect(await everything(services.table)).toEqual(before);
    },
  );

  it.each(ofOwnHome)(
    'returns to a caller with %s only the time that devices spent in its places',
    async (what) => {
      const caller = await callerOf(claims[what]);
      const ofDevice = requests.filter(
        ({ path, about }) => path.includes('own-meter') && !about.includes('their'),
      );
      const told = new Set<string>();
      for (const request of ofDevice) {
        const { text } = await caller.ask(renamed(request, 'own-meter', 'own-mover'));
        expect([request, text]).toEqual([request, expect.not.stringMatching(secretNumber)]);
        expect([request, text]).toEqual([request, expect.not.stringContaining('their-')]);
        if (ownNumber.test(text)) told.add(request.operationId);
        const gone = await caller.ask(renamed(request, 'own-meter', 'gone-mover'));
        const none = await caller.ask(renamed(request, 'own-meter', 'none-mover'));
        const answer = { ...gone, text: gone.text.replaceAll('gone-', 'none-') };
        expect([request, answer]).toEqual([request, none]);
      }
      const readings = [
        ...['getLatest', 'getLatestOfMany', 'getReadings', 'getAggregates', 'getFields'],
      ];
      expect([...told].sort()).toEqual(readings.sort());
      const ofHome = requests.find(({ operationId }) => operationId === 'getPlaceReadings');
      expect(ofHome && (await caller.ask(ofHome)).text).toContain('gone-mover');
    },
  );

  it.each(ofOwnHome)("returns the caller's own home with %s", async (what) => {
    const caller = await callerOf(claims[what]);
    const told = new Set<string>();
    const passed = new Set<string>();
    for (const request of requests) {
      if (request.about.some((owner) => owner !== 'own')) continue;
      const { status, text } = await caller.ask(request);
      if (status === 412) passed.add(request.operationId);
      if (text.includes('Mine') || ownNumber.test(text)) told.add(request.operationId);
    }
    expect([...told].sort()).toEqual(
      [
        ...['getDevice', 'listDevices', 'getPlace', 'listDevicesOfPlace', 'listRoomsOfPlace'],
        ...['getCorrection', 'listCorrections'],
        ...['listPlaces', 'listRooms', 'getRoom'],
        ...['getLatest', 'getLatestOfMany', 'getRoomLatest', 'getPlaceLatest'],
        ...['getReadings', 'getRoomReadings', 'getPlaceReadings'],
        ...['getAggregates', 'getRoomAggregates', 'getPlaceAggregates'],
        ...['getFields', 'getRoomFields', 'getPlaceFields'],
      ].sort(),
    );
    expect([...passed].sort()).toEqual(
      [
        ...['putDevice', 'renameDevice', 'deleteDevice', 'placeDevice', 'takeDeviceAway'],
        ...['putCorrection', 'undoCorrection'],
        ...['putPlace', 'renamePlace', 'putRoom', 'renameRoom', 'deleteRoom'],
      ].sort(),
    );
  });
});
