/**
 * Something that the person who runs a service has to put right: a wrong setting, a port in use. Its
 * message is one line that says what is wrong, where, and what to do; it is shown without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
