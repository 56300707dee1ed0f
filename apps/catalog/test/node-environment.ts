import { join } from 'node:path';

/** With compiled code kept between processes: a process compiles for longer than a test of it takes. */
export const nodeEnvironment: Record<string, string | undefined> = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE:
    process.env['NODE_COMPILE_CACHE'] ?? join(__dirname, '../../../node_modules/.cache/node'),
};
