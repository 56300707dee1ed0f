import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes of JSON whose items are converted in one turn of the event loop: about half a millisecond of a whole CPU. */
const bytesPerSlice = 32 * 1024;

/** Converts an item of a response. */
export type Convert = (item: unknown) => unknown;

interface ResponseToConvert {
  /** @returns the JSON object */
  parse: () => { Items?: unknown };
  /** Of its JSON. */
  bytes: number;
  /** Converts each of `Items`. */
  convert?: Convert | undefined;
}

/**
 * Parses responses, and converts their items. Large responses one after the other, since items before and after their
 * conversion take several times the memory of their JSON, and in slices, so that other requests are handled in between.
 */
export class SlicedConversion {
  #last: Promise<unknown> = Promise.resolve();

  of(response: ResponseToConvert): object | Promise<object> {
    if (response.bytes > bytesPerSlice) return this.#afterOthers(() => inSlices(response));
    const { parse, convert } = response;
    const output = parse();
    if (convert === undefined || !Array.isArray(output.Items)) return output;
    return { ...output, Items: output.Items.map((item) => convert(item)) };
  }

  /** In a turn of the event loop of its own, after all large responses that wait. */
  #afterOthers(read: () => Promise<object>): Promise<object> {
    const reading = this.#last.then(() => nextTurn()).then(read);
    this.#last = reading.catch(() => undefined);
    return reading;
  }
}

async function inSlices({ parse, bytes, convert }: ResponseToConvert): Promise<object> {
  const output = parse();
  if (convert === undefined || !Array.isArray(output.Items)) return output;
  const items: unknown[] = output.Items;
  const perSlice = Math.max(1, Math.floor((items.length * bytesPerSlice) / bytes));
  for (let start = 0; start < items.length; start += perSlice) {
    if (start > 0) await nextTurn();
    // In place: each converted item replaces one that is larger.
    const slice = items.slice(start, start + perSlice).map((item) => convert(item));
    items.splice(start, slice.length, ...slice);
  }
  return output;
}
