import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { docs } from '../../.vitepress/navigation.ts';
import { createApiPages } from './api-pages.ts';
import { createChangelog } from './changelog.ts';
import { createCommandPages, createWebhooksCommandPage } from './command-pages.ts';
import { createControlPages } from './control-page.ts';
import { createEventCatalogPage } from './event-catalog.ts';
import type { OpenApi } from './operation.ts';
import { createErrorsPage, createOpenApiPage, createReferenceIndex } from './other-pages.ts';
import { createReadmePage } from './readme-page.ts';

const root = join(docs, '..');

/** Documents that are published in the packages and on the site. */
const DOCUMENTS = [
  'mock-server/dist/openapi.json',
  'mock-server/dist/control-openapi.json',
  'mock-server/dist/seed.schema.json',
  'packages/webhooks/dist/events.schema.json',
];

const READMES = { client: 'packages/client', webhooks: 'packages/webhooks', server: 'mock-server' };

/** Writes the pages in `docs/reference/`. Each page is generated from the code or the document that it describes. */
export function writeReference(): void {
  for (const path of DOCUMENTS) copyFileSync(join(root, path), join(docs, 'public', basename(path)));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const api = JSON.parse(read('mock-server/dist/openapi.json')) as OpenApi;
  const control = JSON.parse(read('mock-server/dist/control-openapi.json')) as OpenApi;
  const pages: Record<string, string> = {
    ...createApiPages(api),
    index: createReferenceIndex(api),
    ...createControlPages(control),
    ...createCommandPages(),
    'command-svc-webhooks': createWebhooksCommandPage(),
    'event-catalog': createEventCatalogPage(api),
    errors: createErrorsPage(api),
    openapi: createOpenApiPage(),
    changelog: createChangelog(root),
  };
  for (const [name, folder] of Object.entries(READMES)) {
    pages[name] = createReadmePage(folder, read(`${folder}/README.md`));
  }
  const folder = join(docs, 'reference');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, `${name}.md`), text);
}
