/** For tools that explain why a request does not verify, in Node. The command `svc-webhooks verify` uses the same. */
export { type CapturedRequest, parseCapturedRequest } from './cli/captured-request.ts';
export { explainMismatch, type Mismatch } from './cli/explain-mismatch.ts';
export { HOW_TO_DECODE } from './cli/suspicions.ts';
