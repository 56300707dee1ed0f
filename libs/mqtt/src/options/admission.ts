/**
 * The memory budget of received messages, as connections see it. All connections of a process share
 * one; the component that decodes messages reports their size to it.
 */
export interface Admission {
  /** While it is full, no connection is read, and none is opened. */
  readonly isFull: boolean;
  /** Used share, from 0 to 1; above 1 where the last message was large. */
  readonly used: number;
  /** Calls back whenever `isFull` changes. @returns a function that ends the callbacks */
  onFullChange(listener: () => void): () => void;
}

/** For subscribers that are limited by the number of messages only. */
export const unlimitedAdmission: Admission = {
  isFull: false,
  used: 0,
  onFullChange: () => () => undefined,
};
