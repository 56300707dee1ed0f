import { once } from 'node:events';
import { request } from 'node:http';
import { until } from '@engawa/testing';
import type { ClientRequest, IncomingMessage } from 'node:http';

export interface ReceivedEvent {
  id?: string;
  event?: string;
  data: unknown;
}

/** A listener of GET /v1/live, with a connection of its own. */
export class LiveClient {
  readonly events: ReceivedEvent[] = [];
  comments = 0;
  /** Of the last event, or of a comment after it. */
  lastId = '';
  isEnded = false;
  readonly response: IncomingMessage;
  readonly #request: ClientRequest;
  #rest = '';

  /** Resolves when the response begins. @param query such as `?device=a` */
  static async open(
    api: string,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<LiveClient> {
    const sent = request(`${api}/v1/live${query}`, { headers, agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined); // the service ends the stream
    return new LiveClient(sent, response);
  }

  private constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#receive(text));
    response.on('error', () => undefined);
    response.on('close', () => (this.isEnded = true));
  }

  get readings(): Record<string, unknown>[] {
    const readings = this.events.filter(({ event }) => event === 'reading');
    return readings.map(({ data }) => data as Record<string, unknown>);
  }

  /** Values of the field `x`, in the order of the events. */
  get numbers(): unknown[] {
    return this.readings.map(({ fields }) => (fields as Record<string, unknown>)['x']);
  }

  /** Data of the events `lost`. */
  get losses(): { count?: number }[] {
    const lost = this.events.filter(({ event }) => event === 'lost');
    return lost.map(({ data }) => data as { count?: number });
  }

  async received(count: number): Promise<void> {
    const progress = () => this.readings.length;
    await until(`${count} readings`, () => this.readings.length >= count, { progress });
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #receive(text: string): void {
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const lines of events.map((event) => event.split('\n'))) {
      const event = parsed(lines);
      this.lastId = event.id ?? this.lastId;
      if (lines[0]?.startsWith(':')) this.comments += 1;
      else this.events.push(event);
    }
  }
}

function parsed(lines: readonly string[]): ReceivedEvent {
  const values = lines.map((line): [string, string] => {
    const end = line.indexOf(': ');
    return [line.slice(0, end), line.slice(end + 2)];
  });
  const { data = 'null', ...event } = Object.fromEntries(values);
  return { ...event, data: JSON.parse(data) as unknown };
}
