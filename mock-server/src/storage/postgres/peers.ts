import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { createSockets } from './sockets.ts';

/** What nodes tell each other: there may be work due; one waits for lanes of the others, or has nothing to do; endpoints, the settings or the seed changed. */
export type Topic = 'work' | 'lanes' | 'share' | 'endpoints' | 'settings';

/** The other nodes on the same database. */
export interface Peers extends AsyncDisposable {
  /** Does something when a node tells of it, and, but for `lanes` and `share`, whenever something may have been missed. */
  onHeard(topic: Topic, act: () => unknown): void;
  /** Tells the others, within 50 ms; what is told meanwhile is told once. */
  hint(topic: Topic): void;
  /**
   * Tells the others and resolves when each has acted on it; of one that does not answer, after a second. Where the
   * database itself is no longer heard of, it resolves after seconds, and the others find out when they look next.
   */
  announce(topic: Topic): Promise<void>;
}

const CHANNEL = 'svc_mock';
/** Under this name the connections stand by which nodes listen, so that they can be counted. */
const LISTENER_NAME = 'svc-mock-peer';
/** A notification takes a lock that all commits of the database share, so there is one for many events. */
const HINT_INTERVAL_MS = 50;
const ANSWER_TIMEOUT_MS = 1_000;
/** A connection over which nothing is answered for so long is given up for another. */
const SILENCE_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;

/** Joins the nodes on a database, over one connection of its own. */
export async function joinPeers(
  url: string,
  warn: (error: unknown) => void,
  sockets = createSockets(),
): Promise<Peers> {
  const self = randomBytes(6).toString('hex');
  const acts = new Map<Topic, (() => unknown)[]>();
  const awaited = new Map<string, () => void>();
  const hinted = new Map<Topic, { at: number; timer: NodeJS.Timeout | undefined }>();
  let client: pg.Client | undefined;
  let left = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOptions(url),
      stream: sockets.make,
      application_name: LISTENER_NAME,
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
    // Nothing was heard until now. Who needs lanes asks again.
    for (const topic of acts.keys()) if (topic !== 'lanes' && topic !== 'share') await act(topic);
  }

  async function act(topic: Topic): Promise<void> {
    for (const one of acts.get(topic) ?? []) await one();
  }

  function hear(payload: string): void {
    const [kind, from, topic, call] = payload.split(' ');
    if (kind === 'done' && from === self && call) awaited.get(call)?.();
    if (kind === 'tell' && from !== self) answer(topic as Topic, from, call).catch(warn);
  }

  async function answer(topic: Topic, from: string | undefined, call: string | undefined): Promise<void> {
    await act(topic);
    if (call) await notify(`done ${from} ${topic} ${call}`);
  }

  async function notify(payload: string): Promise<void> {
    await client?.query('select pg_notify($1, $2)', [CHANNEL, payload]);
  }

  async function others(): Promise<number> {
    const found = await client?.query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
      [LISTENER_NAME],
    );
    return found?.rows[0]?.count ?? 0;
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
    async announce(topic) {
      const call = randomBytes(6).toString('hex');
      const answered = Promise.withResolvers<void>();
      const timeout = setTimeout(answered.resolve, ANSWER_TIMEOUT_MS);
      try {
        let missing = await others();
        if (missing === 0) return;
        awaited.set(call, () => --missing === 0 && answered.resolve());
        await notify(`tell ${self} ${topic} ${call}`);
        await answered.promise;
      } catch (error) {
        // The others look for themselves, at the latest when the connection is there again.
        warn(error);
      } finally {
        clearTimeout(timeout);
        awaited.delete(call);
      }
    },
    async [Symbol.asyncDispose]() {
      left = true;
      clearTimeout(retry);
      for (const { timer } of hinted.values()) clearTimeout(timer);
      if (client) await endConnection(client);
    },
  };
}
