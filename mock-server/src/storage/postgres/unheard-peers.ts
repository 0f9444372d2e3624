import type { Peers } from './peers.ts';

/** Peers for a node that can exchange no messages with the others. Each node looks at the database once a second. */
export const unheardPeers: Peers = {
  onHeard() {},
  hint() {},
  announce: async () => new Map(),
  async [Symbol.asyncDispose]() {},
};
