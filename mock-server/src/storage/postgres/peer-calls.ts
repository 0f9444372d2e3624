import { randomBytes } from 'node:crypto';

const REPLY_TIMEOUT_MS = 1_000;

export function createPeerCalls() {
  const awaited = new Map<string, (node: string, reply: unknown) => void>();
  /** Nodes that did not reply in time, and have sent no message since then. Calls do not wait for these nodes. */
  const silent = new Set<string>();

  return {
    isSilent: (node: string): boolean => silent.has(node),

    /** Call this when a message from a node arrives. */
    heard(node: string): void {
      silent.delete(node);
    },

    replied(call: string, node: string, reply: unknown): void {
      awaited.get(call)?.(node, reply);
    },

    /** Sends a call, and waits up to a second for the expected nodes' replies. Returns the replies, keyed by node. */
    async call(
      expected: readonly string[],
      send: (call: string) => Promise<void>,
    ): Promise<ReadonlyMap<string, unknown>> {
      const call = randomBytes(6).toString('hex');
      const replies = new Map<string, unknown>();
      const complete = Promise.withResolvers<void>();
      awaited.set(call, (node, reply) => {
        replies.set(node, reply);
        if (expected.every((name) => replies.has(name))) complete.resolve();
      });
      try {
        await send(call);
        if (expected.length > 0) {
          const timeout = setTimeout(complete.resolve, REPLY_TIMEOUT_MS);
          await complete.promise;
          clearTimeout(timeout);
        }
        for (const name of expected) if (!replies.has(name)) silent.add(name);
      } finally {
        awaited.delete(call);
      }
      return replies;
    },
  };
}
