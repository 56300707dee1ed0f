import { faultOf, reasonOf } from './fault.ts';

/** A slow or failed answer may be one of a kind; so many in a row are not. */
const failuresUntilMissing = 3;

/** Milliseconds for which a denial is believed: only another try can show that it was put right. */
const denialBelieved = 30_000;

/** Keeps whether the table can be used, and a sentence on why not, from the outcome of each request. */
export class Availability {
  readonly #place: string;
  readonly #tableName: string;
  readonly #denials = new Map<string, number>();
  #outage: string | undefined;
  #failures = 0;

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
    this.#denials.delete(operation);
  }

  failed(operation: string, error: unknown): void {
    const fault = faultOf(error);
    switch (fault) {
      case 'denied':
        this.answered(operation);
        this.#denials.set(operation, performance.now());
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
    for (const [operation, since] of this.#denials) {
      if (performance.now() - since < denialBelieved)
        return `access denied to dynamodb:${operation}`;
      this.#denials.delete(operation);
    }
    return undefined;
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
