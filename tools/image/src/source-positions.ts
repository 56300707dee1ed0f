import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SourceMapPayload } from 'node:module';

/** A position in a stack frame, such as `file:///app/chunks/start-ABC.js:1:2345`. */
const position = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/;

/** As V8 prints it in a stack trace; Node's types lack the method. */
interface Frame {
  toString(): string;
}

/**
 * Makes stack traces name positions in the sources. A source map is read at the first stack trace that needs it:
 * Node's `--enable-source-maps` reads all of them at the start, which takes 20 MB.
 */
export function traceSources(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  const inSource = (frame: string): string =>
    frame.replace(position, (written, url: string, line: string, column: string) => {
      const source = mapOf(url)?.findOrigin(Number(line), Number(column));
      if (source === undefined || !('fileName' in source)) return written;
      return `${source.fileName}:${source.lineNumber}:${source.columnNumber}`;
    });
  Error.prepareStackTrace = (error, frames: readonly Frame[]) =>
    [headingOf(error), ...frames.map((frame) => `    at ${inSource(frame.toString())}`)].join('\n');
}

function readMap(url: string): SourceMap | undefined {
  try {
    const text = readFileSync(fileURLToPath(`${url}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined; // An unbundled package.
  }
}

/** As V8 does, with errors whose `toString` fails. */
function headingOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}
