import { randomBytes } from 'node:crypto';
import { joinRuns } from '../../runtime/join-runs.ts';
import { createSockets } from './connections.ts';
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

/** The other nodes on the same database. */
export interface Peers extends AsyncDisposable {
  /** Except for `hand-over`, the handler also runs when messages may have been lost. */
  onHeard(topic: Topic, act: Act): void;
  /** The handler runs when this node's connection to the other nodes is lost. */
  onLost(act: () => void): void;
  /** Notifies the other nodes within 50 ms. All hints for a topic within these 50 ms are sent as one message. */
  hint(topic: Topic): void;
  /**
   * Notifies the other nodes, and resolves with their replies, keyed by node. Waits at most a second, and does not wait
   * for silent nodes (see `createPeerCalls`). If the database does not respond, resolves after 5 s, and the other nodes
   * notice the change the next time they read the database.
   *
   * @param options.send - Sends the payload on the channel. By default, this node's own connection sends the payload.
   *   Errors from `send` are thrown.
   */
  announce(
    topic: Topic,
    options?: { send?: (channel: string, payload: string) => Promise<void> },
  ): Promise<ReadonlyMap<string, unknown>>;
}

/** Frequent messages delay each other, because PostgreSQL commits transactions with `NOTIFY` one after another. */
const HINT_INTERVAL_MS = 50;

const CHANNEL = 'svc_mock';
/** Each node listens on a connection whose name begins with this prefix. Nodes find each other by these names. */
const LISTENER_NAME = 'svc-mock-peer ';

export async function joinPeers(
  url: string,
  warn: (error: unknown) => void,
  sockets = createSockets(),
): Promise<Peers> {
  const self = randomBytes(6).toString('hex');
  const acts = new Map<Topic, Act[]>();
  const losses: (() => void)[] = [];
  const calls = createPeerCalls();
  const name = LISTENER_NAME + self;
  const onLost = () => {
    for (const one of losses) one();
  };
  const onHeard = (message: string) => void follow(message).catch(warn);
  const listener = createListener({ url, name, channel: CHANNEL, sockets, onHeard, onConnected, onLost, warn });
  const hints = new Map<Topic, () => Promise<void>>();
  let isClosed = false;

  /** Runs the handlers, because messages may have been lost. Skips `hand-over`: an idle node repeats that message. */
  async function onConnected(): Promise<void> {
    for (const topic of acts.keys()) if (topic !== 'hand-over') await act(topic);
  }

  async function act(topic: Topic): Promise<unknown> {
    let reply: unknown;
    for (const one of acts.get(topic) ?? []) reply = await one();
    return reply;
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
      const result = (await act(topic as Topic)) ?? null;
      if (call) await notify(`done ${from} ${topic} ${call} ${self} ${JSON.stringify(result)}`);
    }
  }

  async function notify(payload: string): Promise<void> {
    await listener.query('select pg_notify($1, $2)', [CHANNEL, payload]);
  }

  async function sendHint(topic: Topic): Promise<void> {
    if (isClosed) return;
    void notify(`tell ${self} ${topic}`).catch(warn);
    await new Promise((resolve) => setTimeout(resolve, HINT_INTERVAL_MS).unref());
  }

  await listener.connect();
  return {
    onHeard(topic, one) {
      acts.set(topic, [...(acts.get(topic) ?? []), one]);
    },
    onLost: (one) => losses.push(one),
    hint(topic) {
      const send = hints.get(topic) ?? joinRuns(() => sendHint(topic));
      hints.set(topic, send);
      void send();
    },
    async announce(topic, { send } = {}) {
      // If the query fails, do not wait: the other nodes notice the change the next time they read the database.
      const others = await findOthers(listener, self).catch((error: unknown) => {
        warn(error);
        return [];
      });
      const expected = others.filter((node) => !calls.isSilent(node));
      if (expected.length === 0 && !send) return new Map();
      return await calls.call(expected, async (call) => {
        const payload = `tell ${self} ${topic} ${call}`;
        if (send) await send(CHANNEL, payload);
        else await notify(payload).catch(warn);
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await listener.close();
    },
  };
}

async function findOthers({ query }: Pick<Listener, 'query'>, self: string): Promise<string[]> {
  const found = await query<{ name: string }>(
    `select substr(application_name, length($1) + 1) as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, $1) and pid <> pg_backend_pid()`,
    [LISTENER_NAME],
  );
  return found?.map(({ name }) => name).filter((name) => name !== self) ?? [];
}
