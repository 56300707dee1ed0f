import { OperatorError } from '@engawa/errors';
import { Availability } from '../observe/availability.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { isWorthRetry } from '../errors/remedy.ts';
import type { TableLocation } from '../client/dynamodb-client.ts';

/** The location of the table, as part of a sentence: `at http://127.0.0.1:8000`; without credentials in the URL. */
export function placeOf({ region, endpoint }: TableLocation): string {
  return endpoint === undefined
    ? `in ${region ?? 'the region of the AWS profile'}`
    : `at ${endpoint.replace(/\/\/[^/]*@/, '//')}`;
}

/** The table does not respond, or responds with an error that is not known to be final: a later attempt may succeed. */
export class TableUnreachable extends OperatorError {}

/** The reason why the table could not be created, in a sentence for operators. */
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
  // The message of AWS names the identity, the operation and the table.
  if (kind === 'denied')
    return new OperatorError(`access denied: ${error.message}`, { cause: error });
  if (kind === 'invalid' || kind === 'other' || kind === 'no_such_operation') {
    const detail = `${error.name}: ${error.message}`;
    return new OperatorError(
      `table ${tableName} cannot be created ${placeOf(location)}: ${detail}`,
      {
        cause: error,
      },
    );
  }
  const availability = new Availability({ tableName, place: placeOf(location) });
  availability.failed('', error);
  const Kind = isWorthRetry(kind) ? TableUnreachable : OperatorError;
  return new Kind(availability.unavailableReason() ?? error.message, { cause: error });
}
