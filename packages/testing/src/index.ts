export { freePort } from './free-port.ts';
export { PATIENCE_MS, patience, TEST_MAX_MS } from './patience.ts';
