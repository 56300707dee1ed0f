import { createHash, createHmac } from 'node:crypto';

export interface SignOptions {
  host: string;
  target: string;
  body: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

let signingKey: { day: string; key: Buffer } | undefined;

/**
 * Headers of a DynamoDB request with Signature Version 4 (IAM user guide, "Create a signed AWS API request"): no more
 * than has to be there, since it is what ingestion's own requests are compared with.
 */
export function signedHeaders(options: SignOptions): Record<string, string> {
  const { host, target, body, region, accessKeyId } = options;
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${date.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const names = 'content-type;host;x-amz-date;x-amz-target';
  const canonical =
    `POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:${host}\nx-amz-date:${date}\n` +
    `x-amz-target:${target}\n\n${names}\n${sha256(body)}`;
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`;
  const signature = createHmac('sha256', keyOfDay(date.slice(0, 8), options))
    .update(text)
    .digest('hex');
  return {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': date,
    'x-amz-target': target,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, ` +
      `SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same all day, so it is derived once. */
function keyOfDay(day: string, { secretAccessKey, region }: SignOptions): Buffer {
  if (signingKey?.day !== day) {
    const steps = [day, region, 'dynamodb', 'aws4_request'];
    const key = steps.reduce(
      (previous, step) => createHmac('sha256', previous).update(step).digest(),
      Buffer.from(`AWS4${secretAccessKey}`),
    );
    signingKey = { day, key };
  }
  return signingKey.key;
}
