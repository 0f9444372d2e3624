import { randomBytes } from 'node:crypto';
import { joinRuns } from '../../runtime/join-runs.ts';
import { createSockets, type Sockets } from './connections.ts';
import { createListener, type Listener } from './listener.ts';
import { createPeerCalls } from './peer-calls.ts';

/**
 * The topics of the messages between nodes:
 *
 * - `work`: work may be due
 * - `hand-over`: an idle node asks the other nodes for lanes
 * - `endpoints`: endpoints changed
 * - `settings`: the settings or the seed changed
 * - `clock`: the clock was moved
 */
export type Topic = 'work' | 'hand-over' | 'endpoints' | 'settings' | 'clock';

/** Handles the messages of a topic. The result, if any, is sent back as JSON. */
type Act = () => unknown;

export interface ConnectedNode {
  name: string;
  roles: readonly string[];
}

/** The other nodes on the same database. */
export type Peers = Awaited<ReturnType<typeof joinPeers>>;

/** Frequent messages delay each other, because PostgreSQL commits transactions with `NOTIFY` one after another. */
const HINT_INTERVAL_MS = 50;

const CHANNEL = 'svc_mock';
/** Nodes find each other by the names of these connections, which consist of this prefix, the node and its roles. */
const LISTENER_PREFIX = 'svc-mock-peer ';

export async function joinPeers(
  url: string,
  warn: (error: unknown) => void,
  { roles = [], sockets = createSockets() }: { roles?: readonly string[]; sockets?: Sockets } = {},
) {
  const self = randomBytes(6).toString('hex');
  const acts = new Map<Topic, Act>();
  let lost = () => {};
  const calls = createPeerCalls();
  const name = `${LISTENER_PREFIX}${self} ${roles.join(',')}`;
  const onLost = () => lost();
  const onHeard = (message: string) => void follow(message).catch(warn);
  const listener = createListener({ url, name, channel: CHANNEL, sockets, onHeard, onConnected, onLost, warn });
  const hints = new Map<Topic, () => Promise<void>>();

  /** Messages may have been lost. Runs all handlers, except for `hand-over`, which an idle node sends again. */
  async function onConnected(): Promise<void> {
    for (const [topic, act] of acts) if (topic !== 'hand-over') await act();
  }

  /** Rejects an invalid message: another version of the server, or any client of the database, may have sent it. */
  async function follow(message: string): Promise<void> {
    const [kind, from = '', topic, call, node = '', ...reply] = message.split(' ');
    if (kind === 'done') {
      calls.heard(node);
      if (from === self && call) calls.replied(call, node, JSON.parse(reply.join(' ') || 'null'));
    }
    if (kind === 'tell') {
      calls.heard(from);
      if (from === self) return;
      const result = (await acts.get(topic as Topic)?.()) ?? null;
      if (call) await notify(`done ${from} ${topic} ${call} ${self} ${JSON.stringify(result)}`);
    }
  }

  async function notify(payload: string): Promise<void> {
    await listener.query('select pg_notify($1, $2)', [CHANNEL, payload]);
  }

  async function sendHint(topic: Topic): Promise<void> {
    void notify(`tell ${self} ${topic}`).catch(warn);
    await new Promise((resolve) => setTimeout(resolve, HINT_INTERVAL_MS).unref());
  }

  const findNodes = () => findListening(listener);

  await listener.connect();
  return {
    /** Finds all connected nodes, including this node. Finds none while this node is not connected. */
    findNodes,
    /** Except for `hand-over`, the handler also runs when messages may have been lost. */
    onHeard(topic: Topic, act: Act): void {
      acts.set(topic, act);
    },
    /** The handler runs when this node's connection to the other nodes is lost. */
    onLost(act: () => void): void {
      lost = act;
    },
    /** Notifies the other nodes within 50 ms. All hints for a topic within these 50 ms are sent as one message. */
    hint(topic: Topic): void {
      const send = hints.get(topic) ?? joinRuns(() => sendHint(topic));
      hints.set(topic, send);
      void send();
    },
    /**
     * Notifies the other nodes, and resolves with their replies by node. Waits at most a second, and not for nodes that
     * are silent (see `createPeerCalls`). If the database does not respond, resolves after 5 s. The other nodes then
     * notice the change the next time they read the database.
     *
     * @param send - Sends the payload on the channel, instead of this node's own connection. Its errors are thrown.
     */
    async announce(
      topic: Topic,
      send?: (channel: string, payload: string) => Promise<void>,
    ): Promise<ReadonlyMap<string, unknown>> {
      // If the query fails, do not wait: the other nodes notice the change the next time they read the database.
      const nodes = await findNodes().catch((error: unknown) => {
        warn(error);
        return [];
      });
      const expected = nodes.map((node) => node.name).filter((node) => node !== self && !calls.isSilent(node));
      if (expected.length === 0 && !send) return new Map();
      return await calls.call(expected, async (call) => {
        const payload = `tell ${self} ${topic} ${call}`;
        if (send) await send(CHANNEL, payload);
        else await notify(payload).catch(warn);
      });
    },
    [Symbol.asyncDispose]: listener.close,
  };
}

async function findListening({ query }: Pick<Listener, 'query'>): Promise<ConnectedNode[]> {
  const rows = await query<{ name: string }>(
    `select distinct substr(application_name, length($1) + 1) as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, $1)`,
    [LISTENER_PREFIX],
  );
  return rows.map((row) => {
    const [name = '', roles = ''] = row.name.split(' ');
    return { name, roles: roles.split(',') };
  });
}
