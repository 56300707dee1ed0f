export { mappingSchema } from './mapping-document.ts';
export type { FieldRule, MappingDocument, MessageRule } from './mapping-document.ts';
export { shippedMappings } from './shipped-mappings.ts';
