export { knownDefects } from './known-defects.ts';
export { undoFix, type UndoneFix } from './undo-fix.ts';
export type { KnownDefect, Replacement } from './known-defect.ts';
