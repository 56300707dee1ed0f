/** An event of a `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  /** The type; `message` where the stream names none. */
  event: string;
  /** The id of this event or of an earlier one; empty before the first id. */
  id: string;
  data: string;
}

/** Beyond this size an unfinished event is not an event of Engawa, which keeps memory bounded. In characters. */
const maxEventLength = 1_000_000;

/** Parses a `text/event-stream` chunk by chunk. Used by the server and in the browser. */
export class EventStreamParser {
  #rest = '';
  #id = '';
  #lastEventId = '';
  #event = '';
  #data: string[] = [];

  /** The value of `Last-Event-ID` after the events so far; an id without data is not one of an event. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** @returns the events that this chunk completes. @throws RangeError for an event that is too long */
  push(chunk: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    const text = this.#rest + chunk;
    // A carriage return at the end may be the first half of a line end.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(complete.length);
    if (this.#rest.length > maxEventLength)
      throw new RangeError('an event of the feed is too long');
    for (const line of lines) {
      if (line === '') this.#finish(events);
      else this.#readField(line);
    }
    return events;
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment: the heartbeat
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }

  #finish(events: StreamEvent[]): void {
    this.#lastEventId = this.#id;
    if (this.#data.length > 0) {
      events.push({ event: this.#event || 'message', id: this.#id, data: this.#data.join('\n') });
    }
    this.#event = '';
    this.#data = [];
  }
}

/** A comment on the wire with an id to resume after. */
export function encodeId(id: string): string {
  return `:\nid: ${id}\n\n`;
}

/** An event on the wire. `data` has no line breaks: JSON. */
export function encodeEvent({ event, id, data }: StreamEvent): string {
  return `${id === '' ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
