/**
 * The kind of a request's failure. `unknown` is a response that is not known, from DynamoDB or from a proxy in front of
 * it; `other` is not a response at all, but a defect.
 */
export type DynamoErrorKind =
  | 'condition_failed'
  | 'conflict'
  | 'throttled'
  | 'invalid'
  | 'too_large'
  | 'denied'
  | 'credentials'
  | 'table_missing'
  | 'index_missing'
  | 'timeout'
  | 'unreachable'
  | 'server_error'
  | 'no_such_operation'
  | 'capacity_refused'
  | 'aborted'
  | 'unknown'
  | 'other';
