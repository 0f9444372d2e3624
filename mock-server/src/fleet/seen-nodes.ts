import { GONE_AFTER_MS } from '../domain/node-watch.ts';
import { joinRuns } from '../runtime/join-runs.ts';

export interface ConnectedNode {
  name: string;
  roles: readonly string[];
}

export type SeenNodes = ReturnType<typeof createSeenNodes>;

export function createSeenNodes(findConnected: () => Promise<readonly ConnectedNode[]>) {
  /** The nodes, keyed by name. A check last found the node at `at`, on the process's monotonic clock. */
  const seen = new Map<string, ConnectedNode & { at: number }>();

  const look = joinRuns(async () => {
    const connected = await findConnected();
    const now = performance.now();
    for (const node of connected) seen.set(node.name, { ...node, at: now });
    for (const [name, { at }] of seen) if (now - at >= GONE_AFTER_MS) seen.delete(name);
  });

  return {
    look,
    /** The roles of all nodes that are connected now, or were connected within {@link GONE_AFTER_MS}. */
    async findRoles(): Promise<ReadonlySet<string>> {
      await look();
      return new Set([...seen.values()].flatMap(({ roles }) => roles));
    },
  };
}
