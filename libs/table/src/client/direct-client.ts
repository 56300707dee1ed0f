import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { version } from '@engawa/service';
import { parseResponse } from './response-error.ts';
import { RequestSigner } from './request-signer.ts';
import { Semaphore } from './semaphore.ts';
import { SlicedConversion } from './sliced-conversion.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HttpHandler } from './http-handler.ts';
import type { SigningCredentials } from './request-signer.ts';
import type { TableResponse } from './response-error.ts';
import type { Convert } from './sliced-conversion.ts';

const apiVersion = 'DynamoDB_20120810';

/** The SDK corrects its clock from the same difference on (@aws-sdk/core, clock skew correction). */
const maxSkewMs = 240_000;

interface Target {
  credentials: SigningCredentials;
  protocol: string;
  hostname: string;
  port: number | undefined;
  path: string;
  host: string;
  signer: RequestSigner;
}

export interface DirectClientOptions {
  /** Supplies credentials, region, endpoint and connections. */
  sdk: DynamoDBClient;
  /** Maximum attempts in flight; further attempts wait before they are signed (see BoundedClient). */
  maxInFlight: number;
}

export interface SendOptions {
  signal: AbortSignal;
  /** Called with the server before the request is sent, for traces. */
  onAddress: (address: Pick<Target, 'protocol' | 'hostname' | 'port'>) => void;
  /** Converts each of `Items`. */
  convertItem?: Convert | undefined;
}

/**
 * Sends frequent requests without the SDK's middleware, whose CPU per request is about four times that of signing and
 * sending (docs/adr/0081). It has no retries, and uses the SDK's credentials, endpoint and connections.
 */
export class DirectClient {
  readonly #sdk: DynamoDBClient;
  readonly #semaphore: Semaphore;
  readonly #conversion = new SlicedConversion();
  #target: Target | undefined;
  /** Milliseconds by which the clock of DynamoDB is ahead of this machine's, if the difference is large. */
  #clockOffsetMs = 0;

  constructor({ sdk, maxInFlight }: DirectClientOptions) {
    this.#sdk = sdk;
    this.#semaphore = new Semaphore(maxInFlight);
  }

  /** Makes an attempt as soon as the maximum in flight allows. Rejects with an AbortError. */
  async bounded<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#semaphore.acquire(signal);
    try {
      return await attempt();
    } finally {
      this.#semaphore.release();
    }
  }

  /** @param body the complete JSON body @returns the response's JSON object, with `$metadata` */
  async send(
    operation: string,
    body: string,
    { signal: abortSignal, onAddress, convertItem }: SendOptions,
  ): Promise<object> {
    const { signer, host, ...address } = await this.#currentTarget();
    onAddress(address);
    const signed = signer.headers({
      ...{ host, path: address.path, body, target: `${apiVersion}.${operation}` },
      date: new Date(Date.now() + this.#clockOffsetMs),
    });
    const headers = {
      ...signed,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `engawa/${version}`,
    };
    const request = { ...address, method: 'POST', headers, body };
    const handler = this.#sdk.config.requestHandler as unknown as Pick<HttpHandler, 'handle'>;
    const { response } = await handler.handle(request, { abortSignal });
    const result = response as TableResponse;
    if (result.statusCode === 200) {
      const response = { parse: () => parseResponse(result), bytes: result.body.length };
      return this.#conversion.of({ ...response, convert: convertItem });
    }
    const clockCorrected = this.#correctClock(result.headers['date']);
    try {
      return parseResponse(result);
    } catch (error) {
      throw Object.assign(error as Error, { clockCorrected });
    }
  }

  /** Rejects all waiting and all later attempts. The SDK's client closes the connections. */
  destroy(): void {
    this.#semaphore.close();
  }

  async #currentTarget(): Promise<Target> {
    const credentials = await this.#sdk.config.credentials();
    // The provider returns the same object until it renews the credentials; the endpoint may depend on their account.
    if (this.#target?.credentials !== credentials) this.#target = await this.#resolve(credentials);
    return this.#target;
  }

  async #resolve(credentials: SigningCredentials): Promise<Target> {
    const { config } = this.#sdk;
    const { url } = await getEndpointFromInstructions({}, BatchWriteItemCommand, {
      ...config,
    });
    const { protocol, hostname, port, pathname: path, host } = url;
    const signer = new RequestSigner(credentials, await config.region());
    return {
      ...{ credentials, protocol, hostname, path, host, signer },
      port: port === '' ? undefined : Number(port),
    };
  }

  /**
   * DynamoDB rejects a signature whose time differs from its own by more than five minutes.
   * @returns whether the clock was wrong, so that the request should be signed again
   */
  #correctClock(date = ''): boolean {
    const serverTime = Date.parse(date);
    const skewMs = serverTime - (Date.now() + this.#clockOffsetMs);
    if (!(Math.abs(skewMs) >= maxSkewMs)) return false;
    this.#clockOffsetMs = serverTime - Date.now();
    return true;
  }
}
