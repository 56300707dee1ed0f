import { brokerDefects } from './broker-defects.ts';
import { catalogDefects } from './catalog-defects.ts';
import { foundDefects } from './found-defects.ts';
import { messageDefects } from './message-defects.ts';
import { registryAndQueryDefects } from './registry-and-query-defects.ts';
import type { KnownDefect } from './known-defect.ts';

/** Defects that were found from outside or here, each of which a simulation has to find when its fix is undone. */
export const knownDefects: readonly KnownDefect[] = [
  ...messageDefects,
  ...brokerDefects,
  ...registryAndQueryDefects,
  ...catalogDefects,
  ...foundDefects,
];
