export {
  type Authority,
  type Certificate,
  type CertificateOptions,
  createCertificate,
  sequence,
  tagged,
} from './certificates.ts';
export { type DeclaredComments, readDeclaredComments } from './declared-comments.ts';
export { freePort } from './free-port.ts';
export { createPackedProject, type PackedProject } from './packed-project.ts';
export { PATIENCE_MS, patience, TEST_MAX_MS } from './patience.ts';
export { copyRepository } from './repository-copy.ts';
export { type Outcome, type RunOptions, root, run } from './run.ts';
export { type End, type Ready, type ServerProcess, type StartProcessOptions, startProcess } from './server-process.ts';
export { startReceiver } from './start-receiver.ts';
export { startShell } from './start-shell.ts';
