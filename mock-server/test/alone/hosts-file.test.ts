import { expect, test, vi } from 'vitest';
import { createNameResolver } from '../../src/network/resolve-name.ts';

const shortage = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
vi.mock(import('node:fs/promises'), async (original) => ({
  ...(await original()),
  open: () => Promise.reject(shortage),
}));

test('a lookup fails with the shortage if the hosts file cannot be opened for lack of file descriptors', async () => {
  await expect(createNameResolver({ timeoutMs: 1_000 })('localhost')).rejects.toBe(shortage);
});
