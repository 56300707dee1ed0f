import { randomBytes } from 'node:crypto';

/** URL of a real OpenSearch without a password; `../shared/tools/opensearch` is one way to have it. */
const variable = 'TEST_OPENSEARCH_URL';

/** `describe` where the environment names an OpenSearch, and one that is skipped, and says so, where it does not. */
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

/** A real OpenSearch, whose other indexes are left alone. */
export class OpenSearchEngine {
  readonly url: string;
  /** What all indexes of this test file begin with. */
  readonly prefix = `test-${randomBytes(6).toString('hex')}`;

  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
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
