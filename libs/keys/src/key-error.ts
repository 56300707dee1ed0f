/** A value that cannot become part of a key. `field` names the value as the caller knows it. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}
