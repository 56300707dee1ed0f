import { createHmac, createSecretKey, hash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Access key of the requests, as the SDK's credential providers return it. */
export interface SigningCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface SignedRequest {
  /** With the port, unless it is the default of the protocol. */
  host: string;
  path: string;
  /** `DynamoDB_20120810.BatchWriteItem` */
  target: string;
  body: string;
  date: Date;
}

const algorithm = 'AWS4-HMAC-SHA256';
const contentType = 'application/x-amz-json-1.0';
const service = 'dynamodb';

/**
 * Signs requests of DynamoDB with Signature Version 4 (IAM user guide, "Create a signed AWS API request"). The signing
 * key is valid for a day, so it is derived once a day.
 */
export class RequestSigner {
  readonly #credentials: SigningCredentials;
  readonly #region: string;
  #key: { day: string; secret: KeyObject } | undefined;

  constructor(credentials: SigningCredentials, region: string) {
    this.#credentials = credentials;
    this.#region = region;
  }

  /** The signed headers, with the signature. */
  headers({ host, path, target, body, date }: SignedRequest): Record<string, string> {
    const { accessKeyId, sessionToken } = this.#credentials;
    const timestamp = date.toISOString().replace(/[-:]|\.\d+/g, '');
    const signed: Record<string, string> = {
      'content-type': contentType,
      host,
      'x-amz-date': timestamp,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
      'x-amz-target': target,
    };
    const names = Object.keys(signed).join(';');
    const lines = Object.entries(signed).map(([name, value]) => `${name}:${value.trim()}\n`);
    const canonical = `POST\n${path}\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
    const day = timestamp.slice(0, 8);
    const scope = `${day}/${this.#region}/${service}/aws4_request`;
    const signature = createHmac('sha256', this.#keyOf(day))
      .update(`${algorithm}\n${timestamp}\n${scope}\n${sha256(canonical)}`)
      .digest('hex');
    const authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return { ...signed, authorization };
  }

  #keyOf(day: string): KeyObject {
    if (this.#key?.day !== day) {
      const steps = [day, this.#region, service, 'aws4_request'];
      const bytes = steps.reduce(
        (key, step) => createHmac('sha256', key).update(step).digest(),
        Buffer.from(`AWS4${this.#credentials.secretAccessKey}`),
      );
      // An HMAC with bytes as its key imports them each time, 8 µs.
      this.#key = { day, secret: createSecretKey(bytes) };
    }
    return this.#key.secret;
  }
}

function sha256(data: string): string {
  return hash('sha256', data, 'hex');
}
