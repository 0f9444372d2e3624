/**
 * Functions that explain why a request is rejected, for tools that run in Node. `svc-webhooks verify` and
 * `svc-mock doctor` use these functions.
 */
export { type CapturedRequest, parseCapturedRequest } from './cli/captured-request.ts';
export { type CurlRequest, parseCurl } from './cli/curl.ts';
export { checkAge, diagnoseRequest } from './cli/diagnose-request.ts';
export { explainMismatch, type Mismatch } from './cli/explain-mismatch.ts';
export { explainRejection } from './cli/explain-no-match.ts';
export { type Finding, type MarkColors, showFindings } from './cli/finding.ts';
export { readInput } from './cli/read-input.ts';
export { HOW_TO_DECODE } from './cli/suspicions.ts';
