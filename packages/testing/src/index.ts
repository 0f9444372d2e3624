export { type DeclaredComments, readDeclaredComments } from './declared-comments.ts';
export { freePort } from './free-port.ts';
export { createPackedProject, type PackedProject } from './packed-project.ts';
export { PATIENCE_MS, patience, TEST_MAX_MS } from './patience.ts';
export { startShell } from './start-shell.ts';
