import type { transmit as transmitNow } from './transport.ts';

let loading: Promise<typeof import('./transport.ts')> | undefined;

/**
 * The transport in the builds for Node, where it replaces `transport.ts` (see tsup.config.ts). It loads ky with the
 * first call: importing ky makes Node load all of its own `fetch`, which takes ten times as long as the rest.
 */
export const transmit: typeof transmitNow = async (...args) => {
  loading ??= import('./transport.ts');
  return (await loading).transmit(...args);
};
