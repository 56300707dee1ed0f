import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';

const readingEvent = /^id: .*\nevent: reading\ndata: {"device":"([^"]+)".*"fields":{"x":(\d+)/;
const lostEvent = /^event: lost\ndata: {"count":(\d+)}$/;

/**
 * A listener of GET /v1/live that keeps no event: it counts the readings of each device, whose field `x` has the
 * numbers 0, 1, 2, …
 */
export class CountingListener {
  /** Number of received readings, by device. */
  readonly received = new Map<string, number>();
  /** Number of lost readings of all events `lost`. */
  lost = 0;
  /** Descriptions of events that are out of order, repeated, or unknown. */
  readonly faults: string[] = [];
  isEnded = false;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  /** The next expected number of each device. */
  readonly #next = new Map<string, number>();
  /** Number of readings that are missing between received ones. */
  #skipped = 0;
  #rest = '';

  /** Resolves when the response begins. @param query such as `?device=a` */
  static async open(api: string, query: string): Promise<CountingListener> {
    const sent = request(`${api}/v1/live${query}`, { agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return new CountingListener(sent, response);
  }

  private constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.#response = response;
    sent.on('error', () => undefined);
    response.setEncoding('latin1');
    response.on('data', (text: string) => this.#receive(text));
    response.on('error', () => undefined);
    response.on('close', () => (this.isEnded = true));
  }

  /** Of readings of these devices. */
  count(devices: readonly string[]): number {
    return devices.reduce((sum, device) => sum + (this.received.get(device) ?? 0), 0);
  }

  /** Number of readings that are missing before the last one of each device. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #receive(text: string): void {
    const all = this.#rest === '' ? text : this.#rest + text;
    let start = 0;
    for (let end = all.indexOf('\n\n'); end !== -1; end = all.indexOf('\n\n', start)) {
      this.#count(all.slice(start, end));
      start = end + 2;
    }
    this.#rest = all.slice(start);
  }

  #count(event: string): void {
    if (event.startsWith(':')) return;
    const [, device, x = ''] = readingEvent.exec(event) ?? [];
    if (device === undefined) {
      const [, count] = lostEvent.exec(event) ?? [];
      if (count === undefined) this.faults.push(event);
      else this.lost += Number(count);
      return;
    }
    const next = this.#next.get(device) ?? 0;
    if (Number(x) < next) this.faults.push(`${device}: ${x} after ${next - 1}`);
    this.#skipped += Number(x) - next;
    this.#next.set(device, Number(x) + 1);
    this.received.set(device, (this.received.get(device) ?? 0) + 1);
  }
}
