import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { createClients } from '../client/dynamodb-client.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { ttlAttribute } from './table-definition.ts';
import type { TableLocation } from '../client/dynamodb-client.ts';

/** `other`: the table expires items by another attribute than Engawa's; `unsupported`: the DynamoDB API has no TTL. */
export type TimeToLive = 'on' | 'off' | 'other' | 'unsupported';

/** Attempts of a request by the SDK. */
const maxAttempts = 3;

/**
 * Whether DynamoDB deletes the items of the table that have expired. It has a client of its own: if the permission for
 * this request is missing, the table is available all the same.
 * @throws the SDK's error
 */
export async function readTimeToLive(
  location: TableLocation,
  signal: AbortSignal,
): Promise<TimeToLive> {
  const [client] = createClients(location, [maxAttempts] as const);
  try {
    const command = new DescribeTimeToLiveCommand({ TableName: location.tableName });
    const answer = await client.send(command, { abortSignal: signal });
    const { TimeToLiveStatus: status, AttributeName } = answer.TimeToLiveDescription ?? {};
    if (status !== 'ENABLED' && status !== 'ENABLING') return 'off';
    return AttributeName === ttlAttribute ? 'on' : 'other';
  } catch (error) {
    if (errorKindOf(error) === 'no_such_operation') return 'unsupported';
    throw error;
  } finally {
    client.destroy();
  }
}

/** Whether the role of the process lacks the permission for a request. */
export function isDenied(error: unknown): boolean {
  return errorKindOf(error) === 'denied';
}
