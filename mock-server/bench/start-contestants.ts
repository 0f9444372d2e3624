import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOpenApiDocument } from '@svc/contract/openapi';
import { installInto } from './install-into.ts';

/** A server that a test process can start. `load` and `start` are strings that contain JavaScript code. */
export interface Contestant {
  name: string;
  /** Loads the server. */
  load: string;
  /** Starts the server and makes the first call. Stores the response in the variable `response`. */
  start: string;
}

/** Popular mock servers, in the measured versions. */
const PEERS = ['json-server@0.17.4', 'emulate@0.12.2', '@stoplight/prism-cli@5.16.0'];

/** This server and the peers. The peers are installed into a folder that is kept for the next run. */
export function contestants(): Contestant[] {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/svc-start-bench');
  installInto(folder, PEERS);
  const installed = pathToFileURL(join(folder, 'package.json')).href;
  const emulate = pathToFileURL(join(folder, 'node_modules/emulate/dist/api.js')).href;
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(createOpenApiDocument('http://127.0.0.1:4010')));
  const bearer = `{ headers: { authorization: 'Bearer svc_sk_test_demo_acme_production' } }`;
  const requiring = (from: string) =>
    `const require = (await import('node:module')).createRequire(${JSON.stringify(from)});`;
  return [
    {
      name: 'startMockService()',
      load: `const { startMockService } = await import(${JSON.stringify(new URL('../dist/testing.js', import.meta.url).href)});`,
      start: `const service = await startMockService(); const response = await fetch(service.url + '/v1/me', ${bearer});`,
    },
    {
      name: 'Prism 5.16.0',
      load: `${requiring(installed)}
        const { createServer } = require('@stoplight/prism-http-server');
        const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
        const { createLogger } = require('@stoplight/prism-core');`,
      start: `
        const operations = await getHttpOperationsFromSpec(${JSON.stringify(document)});
        const mock = { dynamic: false };
        const checks = { validateRequest: true, validateResponse: true, checkSecurity: true, errors: false };
        const config = { mock, ...checks, isProxy: false, upstreamProxy: undefined };
        const logger = createLogger('bench', { enabled: false });
        const url = await createServer(operations, { components: { logger }, cors: false, config }).listen(0, '127.0.0.1');
        const response = await fetch(url + '/v1/me', ${bearer});`,
    },
    {
      name: 'json-server 0.17.4',
      load: `${requiring(installed)} const jsonServer = require('json-server');`,
      start: `
        const app = jsonServer.create();
        app.use(jsonServer.router({ me: [{ id: 1 }] }));
        const server = app.listen(0, '127.0.0.1');
        await new Promise((listening) => server.once('listening', listening));
        const response = await fetch('http://127.0.0.1:' + server.address().port + '/me');`,
    },
    {
      name: 'emulate 0.12.2 (github)',
      load: `const { createEmulator } = await import(${JSON.stringify(emulate)});`,
      start: `
        const emulator = await createEmulator({ service: 'github', port: 0 });
        const response = await fetch(emulator.url + '/rate_limit');`,
    },
  ];
}
