import { randomBytes } from 'node:crypto';

/** URL of a real OpenSearch without a password. */
const variable = 'TEST_OPENSEARCH_URL';

/** `describe` if the environment has an OpenSearch URL, else a skipped one that logs the reason. */
export function describeOnOpenSearch(
  name: string,
  tests: (engine: OpenSearchEngine) => void,
): void {
  const url = process.env[variable];
  if (url === undefined || url === '') {
    describe.skip(`${name} (skipped: ${variable} names no OpenSearch)`, () => {
      tests(new OpenSearchEngine('http://127.0.0.1:1'));
    });
  } else describe(name, () => tests(new OpenSearchEngine(url)));
}

/** For `describe.each`: the embedded index, and OpenSearch if the environment has a URL. */
export function searchEngines(): [name: string, engine: OpenSearchEngine | undefined][] {
  const url = process.env[variable] ?? '';
  return [
    ['SQLite', undefined],
    ...(url === ''
      ? []
      : [['OpenSearch', new OpenSearchEngine(url)] as [string, OpenSearchEngine]]),
  ];
}

/** A real OpenSearch; only indexes with the test's prefix are changed. */
export class OpenSearchEngine {
  readonly url: string;
  /** Prefix of the indexes of this test file. */
  readonly prefix = `test-${randomBytes(6).toString('hex')}`;

  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  /** Of a replica that uses it. */
  get environment(): Record<string, string> {
    // A long timeout, so that no search times out on a slow machine.
    return {
      SEARCH_URL: this.url,
      SEARCH_INDEX_PREFIX: this.prefix,
      FULL_TEXT_TIMEOUT_MS: '60000',
    };
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const parsed: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
    return parsed;
  }

  /** Names of all indexes of this test file. */
  async indexes(): Promise<string[]> {
    return Object.keys((await this.ask('GET', `${this.prefix}-*/_alias`)) as object);
  }

  async setBlock(name: string, isBlocked: boolean): Promise<void> {
    const settings = { [`index.blocks.${name}`]: isBlocked ? true : null };
    await this.ask('PUT', `${this.prefix}-*/_settings`, settings);
  }

  async removeIndexes(): Promise<void> {
    for (const index of await this.indexes()) await this.ask('DELETE', index);
  }
}
