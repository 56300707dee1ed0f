import { OperatorError } from '@engawa/errors';
import { Availability } from '../observe/availability.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import type { DynamoErrorKind } from '../errors/dynamo-error.ts';
import type { TableLocation } from '../client/dynamodb-client.ts';

/** Where the table is, in a sentence: `at http://127.0.0.1:8000`. Who asks there is nobody's business. */
export function placeOf({ region, endpoint }: TableLocation): string {
  return endpoint === undefined
    ? `in ${region ?? 'the region of the AWS profile'}`
    : `at ${endpoint.replace(/\/\/[^/]*@/, '//')}`;
}

/** Nobody has answered, or not as DynamoDB does when it is well: another try may go well. */
export class TableUnreachable extends OperatorError {}

const mayPass: readonly DynamoErrorKind[] = ['unreachable', 'timeout', 'server_error'];

/** What went wrong while the table was made, in a sentence for whoever has to put it right. */
export function explain(error: unknown, location: TableLocation): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  const kind = errorKindOf(error);
  if (kind === 'aborted') return error;
  const { tableName } = location;
  if (error.message === 'Region is missing') {
    return new OperatorError('AWS_REGION is not set, and no AWS profile names a region', {
      cause: error,
    });
  }
  // AWS says who may not do what to which table.
  if (kind === 'denied')
    return new OperatorError(`access denied: ${error.message}`, { cause: error });
  if (kind === 'invalid' || kind === 'other' || kind === 'no_such_operation') {
    const said = `${error.name}: ${error.message}`;
    return new OperatorError(`table ${tableName} cannot be made ${placeOf(location)}: ${said}`, {
      cause: error,
    });
  }
  const availability = new Availability({ tableName, place: placeOf(location) });
  availability.failed('', error);
  const Kind = mayPass.includes(kind) ? TableUnreachable : OperatorError;
  return new Kind(availability.unavailableReason() ?? error.message, { cause: error });
}
