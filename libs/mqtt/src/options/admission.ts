/**
 * The memory that all that is being received may take, as far as a connection has to know of it. One object serves every
 * connection of a process; who decodes the messages says what they take.
 */
export interface Admission {
  /** While it is true no connection is read, and none is opened. */
  readonly isFull: boolean;
  /** Share that is taken, from 0 to 1; more where the last message was large. */
  readonly used: number;
  /** Calls back whenever `isFull` has changed. @returns a function that ends the callbacks */
  onTurn(listener: () => void): () => void;
}

/** For subscribers that need no bound beyond the number of messages. */
export const unlimitedAdmission: Admission = {
  isFull: false,
  used: 0,
  onTurn: () => () => undefined,
};
