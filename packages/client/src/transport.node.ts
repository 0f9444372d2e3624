import type { transmit as transmitNow } from './transport.ts';

let loading: Promise<typeof import('./transport.ts')> | undefined;

/**
 * The transport in the build for Node, which takes the place of `transport.ts` (see tsup.config.ts): it loads ky with
 * the first request. Importing ky has Node load all of its own `fetch`, and a program that makes no call need not wait
 * for that. Elsewhere `fetch` is there anyway, and a program in one file is worth more.
 */
export const transmit: typeof transmitNow = async (...args) => {
  loading ??= import('./transport.ts');
  return (await loading).transmit(...args);
};
