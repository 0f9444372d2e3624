import type { Peers } from './peers.ts';

/** Other nodes that this one can neither hear nor tell. Each of them looks at the database once a second. */
export const unheardPeers: Peers = {
  onHeard() {},
  hint() {},
  announce: async () => new Map(),
  async [Symbol.asyncDispose]() {},
};
