// #region store
import type { DedupeStore } from '@svc/webhooks';

/** The methods that the store calls. A client from the `redis` package has them. */
interface Redis {
  set(key: string, value: string, options: { NX: true; EX: number }): Promise<string | null>;
  get(key: string): Promise<string | null>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Ends a claim in one atomic step, unless another attempt holds it. Redis deletes a claim when its lease ends. */
const END = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
  return redis.call('SET', KEYS[1], 'done', 'EX', ARGV[2])`;

export function redisDedupe(redis: Redis, prefix = 'webhook:'): DedupeStore {
  const end = (id: string, token: string, seconds: number) =>
    redis.eval(END, { keys: [prefix + id], arguments: [token, String(seconds)] });
  return {
    async claim(id, { token, leaseSeconds }) {
      if (await redis.set(prefix + id, token, { NX: true, EX: leaseSeconds })) return 'new';
      return (await redis.get(prefix + id)) === 'done' ? 'done' : 'busy';
    },
    commit: (id, { token, lifetimeSeconds }) => end(id, token, lifetimeSeconds),
    release: (id, { token }) => end(id, token, 0),
  };
}
// #endregion store
