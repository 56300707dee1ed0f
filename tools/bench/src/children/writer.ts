// The second half of the baseline: the same items in hand-signed BatchWriteItem requests over undici, 25 each.
import { itemsOf } from '../workload.ts';
import { RawTable } from '../raw-table.ts';
import { serve, usedCpu } from '../serve.ts';
import type { Portion } from '../workload.ts';

export interface WriteInput extends Portion {
  /** Messages of a device that share an item. */
  messagesPerItem: number;
}

export interface WriterMethods {
  /** Microseconds of CPU until all items are stored; making them is not counted. */
  write(input: WriteInput): Promise<number>;
}

interface Argument {
  endpoint: string;
  tableName: string;
}

const table = new RawTable(JSON.parse(process.argv[2] ?? '{}') as Argument);

/** Whole rounds of all devices: `count` is a multiple of `devices × messagesPerItem`. */
function makeItems({ workload, from, count, messagesPerItem }: WriteInput): object[] {
  const { devices } = workload;
  return Array.from({ length: count / messagesPerItem }, (_, index) => {
    const round = Math.floor(index / devices) * messagesPerItem;
    return itemsOf(workload, from + round * devices + (index % devices), messagesPerItem);
  }).flat();
}

const methods: WriterMethods = {
  write: async (input) => {
    const items = makeItems(input);
    const before = usedCpu();
    await table.store(items);
    return usedCpu() - before;
  },
};
serve(methods);
