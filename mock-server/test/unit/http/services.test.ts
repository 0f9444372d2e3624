import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { MasterKey } from '../../../src/domain/master-key.ts';
import { createServices } from '../../../src/http/services.ts';

const servicesOn = (databaseUrl?: string) => {
  const parts = { masterKey: new MasterKey(Buffer.alloc(32)), publicUrl: () => 'http://localhost', local: true };
  return createServices({ ...DEFAULT_CONFIG, databaseUrl, ...parts } as never);
};

test.each(['longReads', 'largeBodies'] as const)('on SQLite, one of all tenants is under way: %s', async (name) => {
  const { [name]: share } = servicesOn().limits;
  const ends: (() => void)[] = [];
  const reads = ['a', 'b', 'c'].map((tenant) =>
    share(tenant, () => new Promise<void>((resolve) => void ends.push(resolve))),
  );
  for (const read of reads) {
    await expect.poll(() => ends.length).toBe(1);
    await nextPass();
    expect(ends).toHaveLength(1);
    ends.shift()?.();
    await read;
  }
});

test.each([
  ['SQLite, where requests run on the event loop', undefined, 1],
  ['PostgreSQL, where requests share connections', 'postgres://h/d', 4],
])('one tenant has at most so many requests under way: %s', async (_name, databaseUrl, max) => {
  const { reads: quota } = servicesOn(databaseUrl).limits;
  const ends: (() => void)[] = [];
  const begin = (tenant: string) => quota(tenant, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const busy = Array.from({ length: 6 }, () => begin('busy'));
  const other = begin('other');
  await nextPass();
  expect(ends).toHaveLength(max + 1);
  for (let left = 7; left > 0; left--) {
    ends.shift()?.();
    await expect.poll(() => left === 1 || ends.length > 0).toBe(true);
  }
  await Promise.all([...busy, other]);
});
