/** The system did what it must not do. */
export class Violation extends Error {
  override readonly name = 'Violation';
}
