import { Violation } from '../../world/violation.ts';
import { catalogTypes, pathOf, trackType } from './catalog-types.ts';
import type { Random } from '../../kernel/index.ts';
import type { CatalogResponse, CatalogClient } from './catalog-client.ts';

interface Declared {
  searches?: { name: string }[];
  rankings?: { name: string }[];
}

/** Declares and changes types through one replica, and uses them at once through another. */
export class Declarations {
  readonly #client: CatalogClient;
  readonly #random: Random;
  #isTrackLarger = false;
  #isBusy = false;
  #kinds = 0;
  /** The search of each temporary type. */
  readonly #ofKinds = new Map<string, string>();

  constructor({ client, random }: { client: CatalogClient; random: Random }) {
    this.#client = client;
    this.#random = random;
  }

  /** Names such as `Track/byName`, of searches and rankings. */
  get searches(): ReadonlySet<string> {
    const types = { ...catalogTypes, Track: trackType(this.#isTrackLarger) };
    const ofKinds = [...this.#ofKinds].map(([type, search]) => `${type}/${search}`);
    const names = Object.entries(types).flatMap(([type, declared]) => {
      const { searches = [], rankings = [] } = declared as Declared;
      return [...searches, ...rankings].map(({ name }) => `${type}/${name}`);
    });
    return new Set([...names, ...ofKinds]);
  }

  async begin(): Promise<void> {
    for (const [name, type] of Object.entries(catalogTypes)) await this.#declare(name, type);
  }

  /** Declares one type at a time; concurrent calls return at once. */
  async step(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      if (this.#random.chance(0.6)) await this.#changeTrack();
      else await this.#declareAndUse();
    } finally {
      this.#isBusy = false;
    }
  }

  async #changeTrack(): Promise<void> {
    const isLarger = !this.#isTrackLarger;
    await this.#declare('Track', trackType(isLarger));
    this.#isTrackLarger = isLarger;
    if (!isLarger) return;
    const answer = await this.#client.send({ path: '/v1/search/Track/byWrite' });
    checkAccepted(answer, ['search-building'], 'a request of a newly declared search');
  }

  async #declareAndUse(): Promise<void> {
    const type = `Kind${++this.#kinds % 4}`;
    const attribute = `size${this.#kinds}`;
    const searches = [{ name: `by${attribute}`, parts: [{ attribute, as: 'number' }] }];
    const removed = Array.from({ length: this.#kinds - 1 }, (_, index) => `size${index + 1}`);
    const attributes = [
      { name: 'name', kind: 'text' },
      { name: attribute, kind: 'number' },
    ];
    await this.#declare(type, { attributes, searches, removed });
    this.#ofKinds.set(type, `by${attribute}`);
    const body = { attributes: { name: 'new', [attribute]: 1 } };
    const path = pathOf({ type, id: attribute });
    const made = await this.#client.send({ method: 'PUT', path, body });
    checkAccepted(made, [], 'an entity of a newly declared type');
    const found = await this.#client.send({ path: `/v1/search/${type}/by${attribute}` });
    checkAccepted(found, ['search-building'], 'a request of a newly declared search');
  }

  async #declare(name: string, body: object): Promise<void> {
    const answer = await this.#client.insist({ method: 'PUT', path: `/v1/types/${name}`, body });
    if (answer.outcome !== 'taken')
      throw new Violation(`the type ${name} was rejected: ${answer.text}`);
  }
}

/** @throws Violation if a request was rejected with another code */
function checkAccepted(
  { outcome, code, text }: CatalogResponse,
  codes: readonly string[],
  what: string,
): void {
  if (outcome !== 'refused' || code === 'no-answer' || codes.includes(code)) return;
  throw new Violation(`${what} was rejected: ${text}`);
}
