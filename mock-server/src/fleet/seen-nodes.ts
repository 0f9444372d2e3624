/** A node that is connected to the database. */
export interface ConnectedNode {
  name: string;
  roles: readonly string[];
}

/** The nodes on a database, as this node sees them by their connections. */
export interface SeenNodes {
  /** The name under which this node holds lanes. Undefined if other nodes cannot see whether this node is connected. */
  ownName: string | undefined;
  /** Checks which nodes are connected. Called once a second. Calls during a look join it. */
  look(): Promise<void>;
  /** Whether a node has had no connection for {@link GONE_AFTER_MS}, as far as this node has looked. */
  isGone(name: string): boolean;
  /** Looks, and resolves with the roles of all nodes that are not gone. */
  findRoles(): Promise<ReadonlySet<string>>;
}

/**
 * A node without a connection starts only attempts that it has already read. After this time all of them have ended, so
 * none overlaps with the next attempt of the same delivery. A node that reconnects finds that its leases end soon. It
 * asks whether it still holds its lanes before it reads from them.
 */
export const GONE_AFTER_MS = 12_000;
/** A node that has not looked for this long does not know what happened in between. */
const BLIND_AFTER_MS = 3_000;

/** What a node needs to see other nodes. */
export interface SeenNodesOptions {
  ownName: string | undefined;
  findConnected(): Promise<readonly ConnectedNode[]>;
}

export function createSeenNodes({ ownName, findConnected }: SeenNodesOptions): SeenNodes {
  /** Nodes that are or were lately connected, with the time when each was last seen. */
  const seen = new Map<string, ConnectedNode & { at: number }>();
  /** Since when this node has looked without a gap, on the process's monotonic clock. */
  let watchesSince = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let look: Promise<void> | undefined;

  const isRecent = (at: number) => performance.now() - Math.max(at, watchesSince) < GONE_AFTER_MS;

  async function lookOnce(): Promise<void> {
    const connected = await findConnected();
    const now = performance.now();
    // If a look misses this node itself, it may miss others too.
    const isComplete = connected.some(({ name }) => name === ownName);
    if (!isComplete) watchesSince = Number.POSITIVE_INFINITY;
    else if (now - lookedAt > BLIND_AFTER_MS || watchesSince > now) watchesSince = now;
    lookedAt = now;
    for (const node of connected) seen.set(node.name, { ...node, at: now });
    for (const [name, { at }] of seen) if (!isRecent(at)) seen.delete(name);
  }

  const seenNodes: SeenNodes = {
    ownName,
    look() {
      look ??= lookOnce().finally(() => {
        look = undefined;
      });
      return look;
    },
    isGone: (name) => performance.now() - lookedAt <= BLIND_AFTER_MS && !isRecent(seen.get(name)?.at ?? 0),
    async findRoles() {
      await seenNodes.look();
      return new Set([...seen.values()].flatMap(({ roles }) => roles));
    },
  };
  return seenNodes;
}
