import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clientSource } from './client-source.ts';
import { readContract } from './read-contract.ts';

const usualFolder = resolve(import.meta.dirname, '../../../../libs/client/src/generated');
const folder = process.argv[2] ?? usualFolder;
const services = ['ingestion', 'registry', 'query', 'catalog'];

mkdirSync(folder, { recursive: true });
for (const service of services) {
  writeFileSync(
    join(folder, `${service}.ts`),
    await clientSource(service, await readContract(service)),
  );
  console.log(`wrote ${join(folder, `${service}.ts`)}`);
}
