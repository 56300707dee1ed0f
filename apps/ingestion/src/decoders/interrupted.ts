/** The service closes before a message could be decoded, which is therefore not acknowledged. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
