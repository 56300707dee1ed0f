/** Values in addition to the minimal ones, and a part of the expected error. */
export type Refusal = readonly [values: object, says: string];
