import { defineConfig } from 'vitest/config';

const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['test/**/*.test.ts'] },
});

export default defineConfig({
  test: {
    projects: [
      project('contract', 'packages/contract'),
      project('client', 'packages/client'),
      project('webhooks', 'packages/webhooks'),
      project('mock-server', 'mock-server'),
      project('acceptance', 'packages/acceptance'),
    ],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
