/** The service closed before a message was decoded: it is not acknowledged. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
