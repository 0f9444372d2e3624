/** A node that is connected to the database. */
export interface ConnectedNode {
  name: string;
  roles: readonly string[];
}

/** The nodes on a database, as one of them sees them by their connections. */
export interface SeenNodes {
  /** This node's name, under which it holds lanes; undefined if the others cannot see whether it is connected. */
  ownName: string | undefined;
  /** Looks who is connected. It is called once a second; calls during a look join it. */
  look(): Promise<void>;
  /** Whether a node has had no connection for {@link GONE_AFTER_MS}, as far as this one has looked. */
  isGone(name: string): boolean;
  /** Looks, and resolves with the roles of all nodes that are not gone. */
  findRoles(): Promise<ReadonlySet<string>>;
}

/**
 * A node without a connection starts the attempts that it has read already, and no more. After this time all of them have
 * ended, so no attempt overlaps with the next one of the same delivery. And a node that connects again finds that its leases
 * run short: it asks whether it still holds its lanes before it reads anything of them.
 */
export const GONE_AFTER_MS = 12_000;
/** A node that has not looked for this long does not know what happened meanwhile. */
const BLIND_AFTER_MS = 3_000;

/** What it takes to see other nodes. */
export interface SeenNodesOptions {
  ownName: string | undefined;
  findConnected(): Promise<readonly ConnectedNode[]>;
}

export function createSeenNodes({ ownName, findConnected }: SeenNodesOptions): SeenNodes {
  /** Nodes that are connected, or were so lately, with the time when each was seen last. */
  const seen = new Map<string, ConnectedNode & { at: number }>();
  /** Since when this node has looked without a gap, on the process's monotonic clock. */
  let watchesSince = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let look: Promise<void> | undefined;

  const isRecent = (at: number) => performance.now() - Math.max(at, watchesSince) < GONE_AFTER_MS;

  async function lookOnce(): Promise<void> {
    const connected = await findConnected();
    const now = performance.now();
    // A look that misses this node itself misses others too.
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
