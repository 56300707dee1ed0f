import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clientSources } from './client-sources.ts';
import { readContract } from './read-contract.ts';
import type { Contract } from './client-sources.ts';

const usualFolder = resolve(import.meta.dirname, '../../../../libs/client/src/generated');
const folder = process.argv[2] ?? usualFolder;

const contracts = new Map<string, Contract>();
for (const service of ['ingestion', 'registry', 'query', 'catalog']) {
  contracts.set(service, await readContract(service));
}

mkdirSync(folder, { recursive: true });
for (const [name, source] of await clientSources(contracts)) {
  writeFileSync(join(folder, name), source);
  console.log(`wrote ${join(folder, name)}`);
}
