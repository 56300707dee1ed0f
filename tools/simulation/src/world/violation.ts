/** The system violated an expectation of an oracle or an actor. */
export class Violation extends Error {
  override readonly name = 'Violation';
}
