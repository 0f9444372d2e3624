import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { createSockets } from './sockets.ts';

/**
 * What nodes tell each other:
 *
 * - `work`: work may be due
 * - `share`: a node is idle
 * - `endpoints`: endpoints changed
 * - `settings`: the settings or the seed changed
 * - `clock`: the clock was moved
 */
export type Topic = 'work' | 'share' | 'endpoints' | 'settings' | 'clock';

/** Handles a topic. If it resolves with a result, the result is sent back as JSON. */
export type Act = () => unknown;

/** The other nodes on the same database. */
export interface Peers extends AsyncDisposable {
  /** Registers a handler for a topic. Except for `share`, it also runs when a message may have been lost. */
  onHeard(topic: Topic, act: Act): void;
  /** Notifies the others within 50 ms. Hints for the same topic in that time are sent as one. */
  hint(topic: Topic): void;
  /**
   * Notifies the others and resolves with their answers by node, once each has acted or was silent for a second. If the
   * database does not respond, it resolves after 5 s. The others then find out at their next look.
   *
   * @param options.send - Sends the payload on the channel instead of this node's own connection. Its errors are
   *   thrown.
   */
  announce(
    topic: Topic,
    options?: { send?: (channel: string, payload: string) => Promise<void> },
  ): Promise<ReadonlyMap<string, unknown>>;
}

const CHANNEL = 'svc_mock';
/** The name of the connections on which nodes listen. The node's own name follows it, so that nodes find each other. */
const LISTENER_NAME = 'svc-mock-peer ';
/** A notification takes a lock that all commits of the database share. So one notification covers many events. */
const HINT_INTERVAL_MS = 50;
const ANSWER_TIMEOUT_MS = 1_000;
/** After this long without a response, the connection is replaced. */
const SILENCE_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;

/** Joins the nodes on a database, over a separate connection. */
export async function joinPeers(
  url: string,
  warn: (error: unknown) => void,
  sockets = createSockets(),
): Promise<Peers> {
  const self = randomBytes(6).toString('hex');
  const acts = new Map<Topic, Act[]>();
  const awaited = new Map<string, (node: string, answer: unknown) => void>();
  /** Nodes that did not respond in time. Nobody waits for them until they send something again. */
  const silent = new Set<string>();
  const hinted = new Map<Topic, { at: number; timer: NodeJS.Timeout | undefined }>();
  let client: pg.Client | undefined;
  let left = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOptions(url, { name: LISTENER_NAME + self }),
      stream: sockets.make,
      query_timeout: SILENCE_TIMEOUT_MS,
    });
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      if (client === next) client = undefined;
      void endConnection(next);
      if (!left) retry = setTimeout(() => connect().catch(warn), RECONNECT_MS);
    };
    next.on('error', lose).on('end', lose);
    next.on('notification', ({ payload }) => hear(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      lose();
      throw error;
    }
    if (left) return lose();
    client = next;
    // The types do not declare it.
    (next as pg.Client & { unref(): void }).unref();
    // Messages may have been lost until now. An idle node asks again by itself.
    for (const topic of acts.keys()) if (topic !== 'share') await act(topic);
  }

  async function act(topic: Topic): Promise<unknown> {
    let answer: unknown;
    for (const one of acts.get(topic) ?? []) answer = await one();
    return answer;
  }

  function hear(payload: string): void {
    try {
      followMessage(payload);
    } catch (error) {
      // Anyone who can connect to the database can send anything. So can an older version of the server.
      warn(error);
    }
  }

  function followMessage(payload: string): void {
    const [kind, from = '', topic, call, ...rest] = payload.split(' ');
    if (kind === 'tell') silent.delete(from);
    if (kind === 'done') silent.delete(rest[0] ?? '');
    if (kind === 'done' && from === self && call) {
      const [node = '', ...answer] = rest;
      awaited.get(call)?.(node, JSON.parse(answer.join(' ') || 'null'));
    }
    if (kind === 'tell' && from !== self) answer(topic as Topic, from, call).catch(warn);
  }

  async function answer(topic: Topic, from: string, call: string | undefined) {
    const result = (await act(topic)) ?? null;
    if (call) await notify(`done ${from} ${topic} ${call} ${self} ${JSON.stringify(result)}`);
  }

  async function notify(payload: string): Promise<void> {
    await client?.query('select pg_notify($1, $2)', [CHANNEL, payload]);
  }

  /** The other nodes that should respond. */
  async function others(): Promise<string[]> {
    const found = await client?.query<{ name: string }>(
      `select substr(application_name, length($1) + 1) as name from pg_stat_activity
      where datname = current_database() and starts_with(application_name, $1) and pid <> pg_backend_pid()`,
      [LISTENER_NAME],
    );
    return found?.rows.map(({ name }) => name).filter((name) => name !== self && !silent.has(name)) ?? [];
  }

  await connect();
  return {
    onHeard(topic, one) {
      acts.set(topic, [...(acts.get(topic) ?? []), one]);
    },
    hint(topic) {
      const last = hinted.get(topic);
      if (last?.timer) return;
      const send = () => {
        hinted.set(topic, { at: performance.now(), timer: undefined });
        notify(`tell ${self} ${topic}`).catch(warn);
      };
      const waitMs = last ? last.at + HINT_INTERVAL_MS - performance.now() : 0;
      if (waitMs <= 0) return send();
      hinted.set(topic, { at: last?.at ?? 0, timer: setTimeout(send, waitMs) });
    },
    async announce(topic, { send } = {}) {
      const call = randomBytes(6).toString('hex');
      const payload = `tell ${self} ${topic} ${call}`;
      const answers = new Map<string, unknown>();
      // If this fails, the others find out at their next look, at the latest when the connection is back.
      const expected = await others().catch((error: unknown) => {
        warn(error);
        return [];
      });
      if (expected.length === 0 && !send) return answers;
      const answered = Promise.withResolvers<void>();
      awaited.set(call, (node, answer) => {
        answers.set(node, answer);
        if (expected.every((name) => answers.has(name))) answered.resolve();
      });
      try {
        if (send) await send(CHANNEL, payload);
        else await notify(payload).catch(warn);
        if (expected.length > 0) {
          const timeout = setTimeout(answered.resolve, ANSWER_TIMEOUT_MS);
          await answered.promise;
          clearTimeout(timeout);
        }
        for (const name of expected) if (!answers.has(name)) silent.add(name);
      } finally {
        awaited.delete(call);
      }
      return answers;
    },
    async [Symbol.asyncDispose]() {
      left = true;
      clearTimeout(retry);
      for (const { timer } of hinted.values()) clearTimeout(timer);
      if (client) await endConnection(client);
    },
  };
}
