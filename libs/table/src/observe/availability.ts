import { errorKindOf, missingIndexOf, reasonOf } from '../errors/dynamo-error.ts';

/** Consecutive failures after which the table counts as unavailable: a single failure may be accidental. */
const failuresUntilOutage = 3;

/**
 * Time for which an operation counts as denied. Then it is tried again, since only a request shows whether the cause is
 * fixed.
 */
const denialMs = 30_000;

/** Maximum length of a stored error message. */
const maxMessageLength = 256;

/** The reason why DynamoDB denies every request of an operation, or of an index, and since when. */
interface Denial {
  sentence: string;
  since: number;
}

/** Whether the table is usable, and the reason if it is not, computed from the outcome of each request. */
export class Availability {
  readonly #place: string;
  readonly #tableName: string;
  /** By operation or index: others may be allowed. */
  readonly #denials = new Map<string, Denial>();
  #outage: string | undefined;
  #failures = 0;
  #lastFailure: { sentence: string; at: number } | undefined;

  /** @param place endpoint or region as part of a sentence: `at http://127.0.0.1:8000` */
  constructor({ tableName, place }: { tableName: string; place: string }) {
    this.#tableName = tableName;
    this.#place = place;
    this.#outage = `table ${tableName} has not responded yet`;
  }

  /** DynamoDB responded, with success or with an error that concerns only this request. */
  answered(operation: string, index = 'table'): void {
    this.#failures = 0;
    this.#outage = undefined;
    this.#denials.delete(operation);
    if (index !== 'table') this.#denials.delete(nameOfIndex(index));
  }

  failed(operation: string, error: unknown): void {
    const kind = errorKindOf(error);
    if (kind !== 'aborted' && kind !== 'condition_failed') this.#keepFailure(operation, error);
    // An API may lack transactions; an API that lacks other operations is not supported.
    const isNoDynamoDb = kind === 'no_such_operation' && operation !== 'TransactWriteItems';
    switch (isNoDynamoDb ? 'other' : kind) {
      case 'denied':
        this.#denied(operation, `access denied to dynamodb:${operation}`);
        break;
      case 'capacity_refused':
        this.#denied(operation, this.#capacitySentence(error));
        break;
      case 'credentials':
        this.#outage = credentialsSentence(error);
        break;
      case 'table_missing':
        this.#outage = `there is no table ${this.#tableName} ${this.#place}`;
        break;
      case 'index_missing':
        this.answered(operation);
        this.#indexMissing(missingIndexOf(error));
        break;
      case 'unreachable':
      case 'timeout':
      case 'server_error':
      case 'unknown':
      case 'other':
        this.#failures += 1;
        if (this.#outage !== undefined || this.#failures >= failuresUntilOutage) {
          this.#outage = `table ${this.#tableName} cannot be reached ${this.#place}: ${reasonOf(error)}`;
        }
        break;
      case 'aborted':
        break;
      default:
        this.answered(operation);
    }
  }

  /** Whether no operation is known to succeed. */
  get outage(): boolean {
    return this.#outage !== undefined;
  }

  /** The reason why the table is unavailable; `undefined` when it is available. */
  unavailableReason(): string | undefined {
    if (this.#outage !== undefined) return this.#outage;
    for (const [operation, { sentence, since }] of this.#denials) {
      if (performance.now() - since < denialMs) return sentence;
      this.#denials.delete(operation);
    }
    return undefined;
  }

  /** Operation, error and age of the last request that failed; undefined when none has failed. */
  lastFailure(): string | undefined {
    if (this.#lastFailure === undefined) return undefined;
    const { sentence, at } = this.#lastFailure;
    return `${sentence} (${Math.floor((performance.now() - at) / 1000)} s ago)`;
  }

  #keepFailure(operation: string, error: unknown): void {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const sentence = `${operation}: ${message.slice(0, maxMessageLength).toWellFormed()}`;
    this.#lastFailure = { sentence, at: performance.now() };
  }

  #denied(operation: string, sentence: string): void {
    this.answered(operation);
    this.#denials.set(operation, { sentence, since: performance.now() });
  }

  /** By index: other requests of the operation may succeed. */
  #indexMissing(index: string): void {
    const name = nameOfIndex(index);
    const sentence = `${name} of table ${this.#tableName} is missing, or still being built`;
    this.#denials.set(name, { sentence, since: performance.now() });
  }

  #capacitySentence(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error);
    return (
      `the DynamoDB API ${this.#place} rejects the requested report of consumed capacity ` +
      `(${message}): set DYNAMODB_CONSUMED_CAPACITY to total, or to none`
    );
  }
}

function credentialsSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'CredentialsProviderError') return 'no AWS credentials found';
  if (/Signature|RequestExpired/.test(name)) {
    return `AWS rejects the signature (${name}): check the credentials and the clock`;
  }
  return `AWS rejects the credentials (${name})`;
}

function nameOfIndex(index: string): string {
  return `index ${index}`;
}
