import { brokerDefects } from './broker-defects.ts';
import { catalogDefects } from './catalog-defects.ts';
import { foundDefects } from './found-defects.ts';
import { messageDefects } from './message-defects.ts';
import { readingDefects } from './reading-defects.ts';
import { registryAndQueryDefects } from './registry-and-query-defects.ts';
import type { KnownDefect } from './known-defect.ts';

/** All known defects. The simulation has to find each of them when its fix is undone. */
export const knownDefects: readonly KnownDefect[] = [
  ...messageDefects,
  ...readingDefects,
  ...brokerDefects,
  ...registryAndQueryDefects,
  ...catalogDefects,
  ...foundDefects,
];
