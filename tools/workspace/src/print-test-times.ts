import { parseArgs } from 'node:util';
import { readIfRun, suites } from './tests/results.ts';
import { fileTable, projectTable } from './tests/times.ts';

/**
 * `npm run test:times`: where the last run of the tests spent its time, by project and by file. `-- --files 50` for
 * more files than 30. CPU is that of the worker; a run on a busy machine waits more.
 */
const { values } = parseArgs({ options: { files: { type: 'string', default: '30' } } });
const times = suites.flatMap((suite) => readIfRun(suite)?.times ?? []);
if (times.length === 0) console.log('there are no times: run the tests first');
else
  console.log([...projectTable(times), '', ...fileTable(times, Number(values.files))].join('\n'));
