import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNpmProject } from '../support/npm-project.ts';

const root = join(import.meta.dirname, '../../../..');
const LAYOUT = `
  import type { ReactNode } from 'react';
  export default function Layout({ children }: { children: ReactNode }) {
    return <html lang="en"><body>{children}</body></html>;
  }`;

it('next build needs no variable, and a request then fails with 500 until the secret is set', () => {
  using project = createNpmProject(
    'next@16',
    'react@19',
    'react-dom@19',
    'typescript@5',
    '@types/react@19',
    '@types/node@24',
  );
  project.write({
    'app/layout.tsx': LAYOUT,
    // The first program of the README, and the example.
    'app/webhooks/route.ts': readFileSync(join(root, 'packages/webhooks/test/documented/next.ts'), 'utf8'),
    'app/api/webhooks/route.ts': readFileSync(
      join(root, 'examples/next-route-handler/app/api/webhooks/route.ts'),
      'utf8',
    ),
    // Calls the built route without starting a server.
    'call.mjs': `
      import next from 'next';
      import { createServer } from 'node:http';
      import { signWebhook } from '@svc/webhooks/testing';
      const app = next({ dev: false, dir: import.meta.dirname });
      await app.prepare();
      const server = createServer(app.getRequestHandler()).listen(0, '127.0.0.1', async () => {
        const { headers, body } = signWebhook({ secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
        const url = 'http://127.0.0.1:' + server.address().port;
        const post = async (path) => (await fetch(url + path, { method: 'POST', headers, body })).status;
        console.log('statuses ' + JSON.stringify([await post('/webhooks'), await post('/api/webhooks')]));
        process.exit();
      });`,
  });
  const secretless = { WEBHOOK_SECRET: undefined, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined };
  expect(project.run(['node_modules/next/dist/bin/next', 'build'], secretless)).toContain('/api/webhooks');
  expect(project.run(['call.mjs'], secretless)).toContain('statuses [500,500]');
  const withSecret = { ...secretless, WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
  expect(project.run(['call.mjs'], withSecret)).toContain('statuses [200,200]');
});
