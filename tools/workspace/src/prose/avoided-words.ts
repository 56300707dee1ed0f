/** A phrase that docs/glossary.md or the project's rule of language replaces, and its replacement. */
export interface AvoidedPhrase {
  /** Words separated by single spaces; a regular expression's syntax is allowed within a word. Upper and lower case are equal. */
  readonly phrase: string;
  readonly instead: string;
}

const NOUN = "the subject's noun";

/** Former names of things that have a standard term. */
const FORMER_TERMS: readonly AvoidedPhrase[] = [
  {
    phrase: '(relief|reliefs|relieve|relieves|relieved|relieving)',
    instead: 'mitigation, mitigate',
  },
  { phrase: '(eraser|erasers|erasure|erasures)', instead: 'purge job' },
  { phrase: '(lane|lanes)', instead: 'queue per key' },
  { phrase: 'epoch (lead|belief)', instead: 'activation delay, maximum staleness' },
  {
    phrase: '(refused|parked|stored|replayed) (letter|letters)',
    instead: 'dead letter or parked message',
  },
  { phrase: '(furnish|furnishes|furnished|furnishing)', instead: 'seed' },
  { phrase: '(patience|patiently)', instead: 'timeout, retry' },
  { phrase: '(deaf|deafness)', instead: 'discarding' },
  { phrase: 'steepest', instead: 'maximum growth factor' },
  { phrase: 'in the sum', instead: 'in total' },
];

const TRANSLATED: readonly AvoidedPhrase[] = [
  { phrase: 'anew', instead: 'again' },
  { phrase: 'in vain', instead: 'without result' },
  { phrase: 'whoever', instead: NOUN },
  { phrase: 'whatever', instead: 'any' },
  { phrase: "nobody's", instead: NOUN },
  { phrase: 'for nobody', instead: 'unused' },
  { phrase: 'of whom', instead: NOUN },
  { phrase: '(is|are|can|cannot|could) (not )?(to )?be had', instead: 'available, unavailable' },
  { phrase: 'of (itself|themselves)', instead: 'automatically' },
  { phrase: 'of (its|their) own accord', instead: 'automatically' },
  { phrase: 'forth and back', instead: 'back and forth' },
  { phrase: 'by and by', instead: 'gradually' },
  { phrase: 'away for good', instead: 'permanently' },
  { phrase: 'what else', instead: 'other' },
  { phrase: 'for how long', instead: 'the duration' },
  { phrase: 'knows no', instead: 'has no' },
];

/** Clauses in the place of nouns. */
const CLAUSES: readonly AvoidedPhrase[] = [
  {
    phrase: 'what (is|was|are|were) (hot|new|left|missing|known|due|stored|written|read|sent|held)',
    instead: NOUN,
  },
  { phrase: 'what came of', instead: 'the outcome' },
  { phrase: 'who (asks|asked|waits|waited|calls|called|reads|writes)', instead: 'client, caller' },
  { phrase: 'those (that|who) (stay|remain|are|were|have)', instead: NOUN },
  {
    phrase:
      '(of|for|by|to|with|from|than|as|against|about|beside) what (is|are|was|were|it|they|has|have|had|the|a|an|does|did|comes|came)',
    instead: NOUN,
  },
];

export const AVOIDED_PHRASES: readonly AvoidedPhrase[] = [
  ...FORMER_TERMS,
  ...TRANSLATED,
  ...CLAUSES,
];
