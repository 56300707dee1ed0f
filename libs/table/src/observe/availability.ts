import { errorKindOf, reasonOf } from '../errors/dynamo-error.ts';

/** A slow or failed answer may be one of a kind; so many in a row are not. */
const failuresUntilMissing = 3;

/** Milliseconds for which a refusal is believed: only another try can show that it was put right. */
const refusalBelieved = 30_000;

/** Characters of an error that are kept. */
const longestSaid = 256;

/** Why an operation is refused, whatever is in the request; since when. */
interface Refusal {
  sentence: string;
  since: number;
}

/** Keeps whether the table can be used, and a sentence on why not, from the outcome of each request. */
export class Availability {
  readonly #place: string;
  readonly #tableName: string;
  /** By operation: others may be answered all the same. */
  readonly #refusals = new Map<string, Refusal>();
  #outage: string | undefined;
  #failures = 0;
  #lastFailure: { sentence: string; at: number } | undefined;

  /** `place` names the endpoint or region in sentences: `at http://127.0.0.1:8000`. */
  constructor({ tableName, place }: { tableName: string; place: string }) {
    this.#tableName = tableName;
    this.#place = place;
    this.#outage = `table ${tableName} has not answered yet`;
  }

  /** DynamoDB answered, if only with a no that concerns this request alone. */
  answered(operation: string): void {
    this.#failures = 0;
    this.#outage = undefined;
    this.#refusals.delete(operation);
  }

  failed(operation: string, error: unknown): void {
    const kind = errorKindOf(error);
    if (kind !== 'aborted' && kind !== 'condition_failed') this.#note(operation, error);
    // There are APIs without transactions. What has no other operation either is no DynamoDB API at all.
    const isOther = kind === 'no_such_operation' && operation !== 'TransactWriteItems';
    switch (isOther ? 'other' : kind) {
      case 'denied':
        this.#refused(operation, `access denied to dynamodb:${operation}`);
        break;
      case 'capacity_refused':
        this.#refused(operation, this.#capacitySentence(error));
        break;
      case 'credentials':
        this.#outage = credentialsSentence(error);
        break;
      case 'table_missing':
        this.#outage = `there is no table ${this.#tableName} ${this.#place}`;
        break;
      case 'unreachable':
      case 'timeout':
      case 'server_error':
      case 'other':
        this.#failures += 1;
        if (this.#outage !== undefined || this.#failures >= failuresUntilMissing) {
          this.#outage = `table ${this.#tableName} cannot be reached ${this.#place}: ${reasonOf(error)}`;
        }
        break;
      case 'aborted':
        break;
      default:
        this.answered(operation);
    }
  }

  /** Whether nothing at all can be asked of the table, as far as is known. */
  get outage(): boolean {
    return this.#outage !== undefined;
  }

  /** Why the table cannot be used; `undefined` when it can. */
  missing(): string | undefined {
    if (this.#outage !== undefined) return this.#outage;
    for (const [operation, { sentence, since }] of this.#refusals) {
      if (performance.now() - since < refusalBelieved) return sentence;
      this.#refusals.delete(operation);
    }
    return undefined;
  }

  /** What the last request heard that failed, and how long ago; undefined when none has failed. */
  lastFailure(): string | undefined {
    if (this.#lastFailure === undefined) return undefined;
    const { sentence, at } = this.#lastFailure;
    return `${sentence} (${Math.floor((performance.now() - at) / 1000)} s ago)`;
  }

  #note(operation: string, error: unknown): void {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const sentence = `${operation}: ${said.slice(0, longestSaid).toWellFormed()}`;
    this.#lastFailure = { sentence, at: performance.now() };
  }

  #refused(operation: string, sentence: string): void {
    this.answered(operation);
    this.#refusals.set(operation, { sentence, since: performance.now() });
  }

  #capacitySentence(error: unknown): string {
    const said = error instanceof Error ? error.message : String(error);
    return (
      `the DynamoDB API ${this.#place} does not report consumed capacity as it is asked to ` +
      `(${said}): set DYNAMODB_CONSUMED_CAPACITY to total, or to none`
    );
  }
}

function credentialsSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'CredentialsProviderError') return 'no credentials for AWS could be found';
  if (/Signature|RequestExpired/.test(name)) {
    return `AWS does not accept the signature (${name}): check the credentials and the clock`;
  }
  return `AWS does not accept the credentials (${name})`;
}
