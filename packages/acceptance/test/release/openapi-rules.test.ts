import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled } from '../../../../tools/installed.ts';

const text = readFileSync(createRequire(import.meta.url).resolve('@svc/mock-server/openapi.json'), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: each change goes deep into the document.
type Change = (document: any) => void;

const json = 'application/json';

/** What is taken away from the document, and the rule of `.spectral.yaml` that must notice it. */
const described: Record<string, readonly [rule: string, change: Change]> = {
  'a named schema without a description': [
    'schema-is-described',
    ({ components: { schemas } }) => delete schemas.Event.description,
  ],
  'a named schema without a sample': [
    'schema-is-described',
    ({ components: { schemas } }) => (schemas.Event.examples = []),
  ],
  'a property without a description': [
    'property-is-described',
    ({ components: { schemas } }) => delete schemas.Identity.properties.user.properties.email.description,
  ],
  'a property that refers to a schema, without a description': [
    'property-is-described',
    ({ paths }) =>
      delete paths['/v1/workspaces/{workspaceId}'].get.responses[200].content[json].schema.properties.workspace
        .description,
  ],
  'a property without a sample': [
    'property-has-examples',
    ({ components: { schemas } }) => delete schemas.Workspace.properties.slug.examples,
  ],
  'a parameter without a sample': [
    'parameter-is-described',
    ({ paths }) => delete paths['/v1/events'].get.parameters[0].example,
  ],
  'a header of a webhook without a description': [
    'parameter-is-described',
    ({ webhooks }) => delete webhooks['webhook.ping'].post.parameters[0].description,
  ],
  'a response header without a description': [
    'parameter-is-described',
    ({ components: { headers } }) => delete headers.RateLimit.description,
  ],
  'an error without a sample': [
    'body-has-examples',
    ({ components: { responses } }) => delete responses.FORBIDDEN.content[json].examples,
  ],
  'a request body without a description': [
    'request-body-is-described',
    ({ paths }) => delete paths['/v1/webhooks/endpoints'].post.requestBody.description,
  ],
  'an operation without a description': [
    'operation-description',
    ({ paths }) => delete paths['/v1/me'].get.description,
  ],
  'a webhook without a description': [
    'webhook-is-described',
    ({ webhooks }) => delete webhooks['webhook.ping'].post.description,
  ],
};

/** Samples that do not fit, and the rule of `redocly.yaml` that must notice them. */
const samples: Record<string, readonly [rule: string, change: Change]> = {
  'a sample of another type': [
    'no-invalid-schema-examples',
    ({ components: { schemas } }) => (schemas.Workspace.properties.name.examples = [1]),
  ],
  'a sample with an unknown field': [
    'no-invalid-media-type-examples',
    ({ paths }) => (paths['/v1/me'].get.responses[200].content[json].examples.apiKey.value.more = 1),
  ],
  'a parameter with a wrong sample': [
    'no-invalid-parameter-examples',
    ({ paths }) =>
      (paths['/v1/events'].get.parameters.find(({ name }: { name: string }) => name === 'limit').example = 0),
  ],
};

if (!isInstalled()) console.info('Skipped, the linters are not installed (npm run tools): the rules of OpenAPI');

describe.skipIf(!isInstalled())('npm run check:openapi', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes the document with a change. */
  function write(name: string, change: Change = () => undefined): string {
    const document = JSON.parse(text);
    change(document);
    const file = join(folder, `${name.replaceAll(' ', '-')}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  }

  const tool = (name: string) => join(root, 'tools/node_modules/.bin', name);

  test('fails for each part without a description or a sample', async () => {
    // Spectral needs half a second for each document, so one document has all the changes.
    const changes = Object.values(described);
    const whole = write('whole');
    const changed = write('changed', (document) => {
      for (const [, change] of changes) change(document);
    });
    const argv = ['lint', whole, changed, '--ruleset', join(root, '.spectral.yaml'), '--format=json', '--quiet'];
    const { stdout } = await run(tool('spectral'), argv);
    const found = JSON.parse(stdout.slice(stdout.indexOf('['))) as { code: string; source: string; path: string[] }[];
    const places = new Map(found.map(({ code, source, path }) => [`${source} ${path.join('/')}`, code]));
    expect(found.filter(({ source }) => source === whole)).toEqual([]);
    expect([...places.values()].toSorted()).toEqual(changes.map(([rule]) => rule).toSorted());
  });

  test('fails for each sample that does not fit its schema', async () => {
    for (const [what, [rule, change]] of Object.entries(samples)) {
      const argv = ['lint', write(what, change), '--config', join(root, 'redocly.yaml'), '--format=json'];
      const { status, stdout } = await run(tool('redocly'), argv);
      expect([what, status]).toEqual([what, 1]);
      expect(stdout, what).toContain(rule);
    }
  });
});
