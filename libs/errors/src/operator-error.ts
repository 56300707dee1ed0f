/**
 * An error that the operator of a service must fix: an invalid setting, a port in use. Its message is one line with the
 * cause, the location and the remedy, after which lines with commands to paste may follow; it is shown without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
