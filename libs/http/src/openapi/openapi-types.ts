import type { JsonObject } from './openapi-schemas.ts';

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters: JsonObject[];
  requestBody?: JsonObject;
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: JsonObject }> }
  >;
}

export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    description: string;
    version: string;
    license?: { name: string; identifier: string };
  };
  /** Relative to the address of the document. */
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonObject>; securitySchemes?: Record<string, JsonObject> };
}
