import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../../world/violation.ts';
import type { HttpResponse } from '../../world/http-client.ts';

/** The attributes that users set: name, labels and metadata; for devices also kind and status. */
export type Content = Readonly<Record<string, unknown>>;

/** A place, room or device from its creation to its deletion. */
export interface Incarnation {
  etag: string;
  /** Incremented by each change. */
  version: number;
  content: Content;
}

/** Number of former ETags that are kept. */
const maxFormerTags = 4;

/** A place, room or device of one owner, with its expected state. */
export class Resource {
  readonly path: string;
  /** Names of its possible attributes. */
  readonly #names: readonly string[];
  /** Undefined while the resource does not exist. */
  incarnation: Incarnation | undefined;
  /** ETags of former states, which must never match. */
  readonly formerEtags: string[] = [];
  /** The content of a creation without a response, which may still take effect. */
  unconfirmedCreation: Content | undefined;
  /** No writes before this act: an unconditional write without a response may still take effect. */
  restsUntil = 0;
  /** Whether the version must be read first, after an unconditional write without a response. */
  isVersionUnknown = false;

  constructor(path: string, names: readonly string[] = ['name', 'labels', 'metadata']) {
    this.path = path;
    this.#names = names;
  }

  begin(incarnation: Incarnation | undefined): void {
    this.unconfirmedCreation = undefined;
    this.isVersionUnknown = false;
    const former = this.incarnation && revisionIn(this.incarnation.etag);
    if (
      former !== undefined &&
      (incarnation === undefined || revisionIn(incarnation.etag) !== former)
    ) {
      this.formerEtags.push(former);
      if (this.formerEtags.length > maxFormerTags) this.formerEtags.shift();
    }
    this.incarnation = incarnation;
  }

  /**
   * Takes over the state of a response.
   * @throws Violation if the response has another content, or another version than a given one
   */
  adopt(answer: HttpResponse, content: Content, version?: number): void {
    const shown = this.shownIn(answer);
    if (!isDeepStrictEqual(shown.content, content)) {
      const wanted = JSON.stringify(content);
      throw new Violation(`${this.path} is ${answer.text} instead of ${wanted}`);
    }
    if (version !== undefined && shown.version !== version) {
      throw new Violation(`${this.path} has version ${shown.version} instead of ${version}`);
    }
    this.begin(shown);
  }

  /** @throws Violation if the response is not that of a resource */
  shownIn({ status, text, headers }: HttpResponse): Incarnation {
    if (status !== 200 && status !== 201) throw new Violation(`${this.path}: ${status} ${text}`);
    const body = JSON.parse(text) as Record<string, unknown>;
    const { etag } = headers;
    if (typeof etag !== 'string') throw new Violation(`${this.path} has no ETag: ${text}`);
    return { etag, version: body['version'] as number, content: this.contentOf(body) };
  }

  /** The attributes that users set, from a response of the resource or of a list. */
  contentOf(body: Readonly<Record<string, unknown>>): Content {
    return contentOf(Object.fromEntries(this.#names.map((name) => [name, body[name]])));
  }
}

/** The ETag without the hash of the response. */
function revisionIn(etag: string): string {
  return etag.replace(/\.[^"]*"$/, '"');
}

/** Content as responses have it, without undefined or empty attributes. */
export function contentOf(said: Content): Content {
  const isShown = (value: unknown) =>
    value !== undefined && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0);
  return Object.fromEntries(Object.entries(said).filter(([, value]) => isShown(value)));
}

export function without(content: Content, ...names: readonly string[]): Content {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)));
}
