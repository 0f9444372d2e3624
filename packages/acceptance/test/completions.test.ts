import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const file = join(import.meta.dirname, 'edited.ts');
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  types: [],
};

/** What an editor suggests in place of `|`. */
function suggestionsAt(marked: string): string[] {
  const text = marked.replace('|', '');
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const found = name === file ? text : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  try {
    const entries = service.getCompletionsAtPosition(file, marked.indexOf('|'), {})?.entries ?? [];
    // The text between the quotes counts as a suggestion too if it sets a type parameter. Here it is empty.
    return entries.flatMap(({ name }) => name || []).sort();
  } finally {
    service.dispose();
  }
}

const client = `import { createClient } from '@svc/client'; const svc = createClient({ apiKey: '', baseUrl: '' });`;
const types = ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'];
const patterns = ['*', 'lifecycle.*', 'webhook.*', 'webhook.endpoint.*', ...types].sort();

it('an editor suggests what an endpoint can subscribe to', () => {
  expect(suggestionsAt(`${client} svc.webhooks.endpoints.create({ url: '', subscribedEvents: ['|'] });`)).toEqual(
    patterns,
  );
  expect(
    suggestionsAt(`${client} svc.webhooks.endpoints.update('whe_1', { subscribedEvents: ['lifecycle.*', '|'] });`),
  ).toEqual(patterns);
});

it('an editor suggests the event types of a filter, and of an event that a test triggers', () => {
  expect(suggestionsAt(`${client} svc.webhooks.deliveries.list({ eventType: '|' });`)).toEqual(types);
  expect(
    suggestionsAt(`import { startMockService } from '@svc/mock-server/testing';
      const service = await startMockService(); service.trigger('|', { workspaceId: '' });`),
  ).toEqual(types);
});

it('an editor suggests the patterns of a handler', () => {
  expect(
    suggestionsAt(`import { createWebhooks } from '@svc/webhooks'; createWebhooks({ secrets: '' }).on('|', () => {});`),
  ).toEqual(patterns);
});

it("an editor suggests the method's paths of a request, without those that contain an id", () => {
  const paths = suggestionsAt(`${client} svc.request('GET', '|');`);
  expect(paths).toContain('/v1/webhooks/event-types');
  expect(paths.filter((path) => path.includes('{'))).toEqual([]);
  expect(suggestionsAt(`${client} svc.request('POST', '|');`)).toEqual(['/v1/webhooks/endpoints']);
});
