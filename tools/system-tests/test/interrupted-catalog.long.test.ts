import { Simulator } from '@engawa/dynamodb-simulator';
import { ensureTable } from '@engawa/table';
import { startTable } from '@engawa/testing';
import { ask, RunningService } from './running-service.ts';
import type { StartedTable } from '@engawa/testing';
import type { JsonResponse } from './json-response.ts';

/** More than fit into a transaction, with or without their condition checks. */
const artists = Array.from({ length: 130 }, (_, index) => `a${String(index).padStart(3, '0')}`);
const some = artists.slice(0, 2);
const others = artists.slice(1, 3);
const most = artists.slice(0, 120);
const mostOthers = artists.slice(10);

interface Content {
  attributes: { title: string; plays: number };
  relations: { featuring: string[] };
}
type State = Content | undefined;

interface InterruptedWrite {
  name: string;
  /** The state before the write. */
  before: State;
  /** The interrupted write, and the state after it. */
  write: { method: string; body?: object };
  after: State;
}

const small = contentOf('old', 1, some);
const large = contentOf('old', 1, most);

const interruptedWrites: InterruptedWrite[] = [
  made('making a small one', undefined, contentOf('new', 2, others)),
  made('creating a small one again', small, contentOf('new', 2, others)),
  patched('a score', small, { attributes: { plays: 3 } }, contentOf('old', 3, some)),
  patched('what is searched', small, { attributes: { title: 'new' } }, contentOf('new', 1, some)),
  deleted('deleting a small one', small),
  made('making a large one', undefined, contentOf('new', 2, most)),
  made(
    'creating a large one again',
    contentOf('old', 1, artists.slice(0, 65)),
    contentOf('new', 2, artists.slice(65)),
  ),
  patched(
    'many relations',
    small,
    { relations: { featuring: { add: mostOthers } } },
    contentOf('old', 1, [...new Set([...some, ...mostOthers])].toSorted()),
  ),
  deleted('deleting a large one', large),
];

describe('an interrupted write to the catalog', () => {
  let started: StartedTable;
  let simulator: Simulator;
  let service: Service;
  let witness: Service;

  beforeAll(async () => {
    started = await startTable(ensureTable);
    simulator = await Simulator.start({ upstream: started.location.endpoint });
    const { environment } = started;
    service = await startCatalog({ ...environment, DYNAMODB_ENDPOINT: simulator.endpoint });
    await declareTypes(service);
    witness = await startCatalog(environment);
    await Promise.all(artists.map((id) => witness.put('Artist', id, { attributes: { name: id } })));
  });
  afterAll(async () => {
    await service.close();
    await witness.close();
    await simulator.close();
    await started.close();
  });

  /** Whether the fault hit the write: after its last request it does not. */
  async function interrupt(
    scene: InterruptedWrite,
    id: string,
    fault: Interruption,
  ): Promise<boolean> {
    if (scene.before !== undefined) await witness.put('Track', id, scene.before);
    simulator.setFaults([{ skip: fault.skip, fault: { kind: 'reset', when: fault.when } }]);
    const { status } = await service.ask(`/v1/entities/Track/${id}`, scene.write);
    const wasMet = (simulator.counters.read().faults['reset'] ?? 0) > 0;
    simulator.setFaults([]);
    const state = await stateOf(witness, id);
    const where = `${JSON.stringify(fault)} answered ${status}`;
    expect({ where, state: [scene.before, scene.after] }).toMatchObject({
      state: expect.arrayContaining([state]) as unknown,
    });
    if (status < 300) expect({ where, state }).toEqual({ where, state: scene.after });
    await expectFoundAs(witness, id, state);
    return wasMet;
  }

  describe.each(['before', 'after'] as const)('%s the write took place', (when) => {
    it.each(interruptedWrites)(
      '$name: the entity is old or new, and indexes agree with it',
      async (scene) => {
        for (let skip = 0; ; skip++) {
          simulator.counters.reset();
          const id = `${scene.name} ${when} ${skip}`.replaceAll(' ', '-');
          if (!(await interrupt(scene, id, { skip, when }))) break;
          // The next write succeeds after any interruption.
          const last = contentOf('last', 9, artists.slice(5, 7));
          await witness.put('Track', id, last);
          expect(await stateOf(witness, id)).toEqual(last);
          await expectFoundAs(witness, id, last);
        }
      },
    );
  });
});

interface Interruption {
  skip: number;
  when: 'before' | 'after';
}

interface Service {
  ask(path: string, request?: { method?: string; body?: object }): Promise<JsonResponse>;
  put(type: string, id: string, body: object): Promise<void>;
  close(): Promise<void>;
}

async function startCatalog(environment: Record<string, string>): Promise<Service> {
  const running = await RunningService.start('catalog', {
    environment: {
      ...environment,
      // No background request receives a fault that is meant for the write.
      TYPE_REFRESH_MS: '600000',
      FULL_TEXT_REFRESH_MS: '600000',
      TASK_REFRESH_MS: '600000',
    },
  });
  const send: Service['ask'] = (path, request) => ask(running.url + path, request);
  const put: Service['put'] = async (type, id, body) => {
    const { status, body: answer } = await send(`/v1/entities/${type}/${id}`, {
      method: 'PUT',
      body,
    });
    if (status > 201) throw new Error(`${type} ${id}: ${JSON.stringify(answer)}`);
  };
  return { ask: send, put, close: () => running.close() };
}

async function declareTypes(service: Service): Promise<void> {
  const name = { name: 'name', kind: 'text', required: true };
  const artist = { attributes: [name] };
  const track = {
    attributes: [
      { name: 'title', kind: 'text', required: true },
      { name: 'plays', kind: 'number' },
    ],
    relations: [{ name: 'featuring', to: 'Artist', many: true }],
    searches: [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }],
    rankings: [{ name: 'byPlays', attribute: 'plays', direction: 'descending' }],
    fullText: ['title'],
  };
  for (const [type, body] of Object.entries({ Artist: artist, Track: track })) {
    const { status } = await service.ask(`/v1/types/${type}`, { method: 'PUT', body });
    expect(status).toBe(201);
  }
}

async function stateOf(service: Service, id: string): Promise<State> {
  const { status, body } = await service.ask(`/v1/entities/Track/${id}`);
  if (status === 404) return undefined;
  const { attributes, relations } = body as unknown as Content;
  return { attributes, relations: { featuring: relations.featuring } };
}

/** Searches, the ranking and reverse relations agree with the entity. */
async function expectFoundAs(service: Service, id: string, state: State): Promise<void> {
  const titles = ['old', 'new', 'last'];
  const bySearch = await Promise.all(
    titles.map((title) => found(service, `/v1/search/Track/byTitle?eq=${title}&limit=1000`, id)),
  );
  expect(titles.filter((_, index) => bySearch[index] !== undefined)).toEqual(
    state === undefined ? [] : [state.attributes.title],
  );
  const ranked = await found(service, '/v1/rankings/Track/byPlays?limit=1000', id);
  expect(ranked?.value).toBe(state?.attributes.plays);
  const samples = [0, 1, 2, 5, 11, 60, 119, 125].map((index) => artists[index] ?? '');
  const backward = await Promise.all(
    samples.map((artist) =>
      found(service, `/v1/entities/Artist/${artist}/related/Track?limit=1000`, id),
    ),
  );
  expect(samples.filter((_, index) => backward[index] !== undefined)).toEqual(
    samples.filter((artist) => state?.relations.featuring.includes(artist)),
  );
}

interface ListedEntity {
  id: string;
  value?: number;
}

async function found(
  service: Service,
  path: string,
  id: string,
): Promise<ListedEntity | undefined> {
  const { status, body } = await service.ask(path);
  expect(status).toBe(200);
  return (body as { items: ListedEntity[] }).items.find((item) => item.id === id);
}

function contentOf(title: string, plays: number, featuring: string[]): Content {
  return { attributes: { title, plays }, relations: { featuring } };
}

function made(name: string, before: State, after: Content): InterruptedWrite {
  return { name, before, write: { method: 'PUT', body: after }, after };
}

function patched(what: string, before: Content, body: object, after: Content): InterruptedWrite {
  return { name: `patching ${what}`, before, write: { method: 'PATCH', body }, after };
}

function deleted(name: string, before: Content): InterruptedWrite {
  return { name, before, write: { method: 'DELETE' }, after: undefined };
}
