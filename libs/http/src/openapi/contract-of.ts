import type { OpenApiDocument } from './openapi-types.ts';

/** By their texts, since the validators of responses are kept per object, and cost more than a request. */
const documents = new Map<string, OpenApiDocument>();

/** For tests: the OpenAPI document of a service, for `expectResponse`; equal documents are one object. */
export async function contractOf(api: string): Promise<OpenApiDocument> {
  const text = await (await fetch(`${api}/openapi.json`)).text();
  const document = documents.get(text) ?? (JSON.parse(text) as OpenApiDocument);
  documents.set(text, document);
  return document;
}
