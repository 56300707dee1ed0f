import { simulate } from './command.ts';

await simulate(process.argv.slice(2));
