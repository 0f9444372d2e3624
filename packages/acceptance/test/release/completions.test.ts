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

/** What an editor suggests in place of `|`, besides the text that is there. */
function suggestionsAt(marked: string): string[] {
  const service = createService(marked.replace('|', ''));
  try {
    const entries = service.getCompletionsAtPosition(file, marked.indexOf('|'), {})?.entries ?? [];
    // The text between the quotes counts as a suggestion too if it sets a type parameter.
    const [, written] = /'([^']*)\|/.exec(marked) ?? [];
    return entries.flatMap(({ name }) => (name === written ? [] : name)).sort();
  } finally {
    service.dispose();
  }
}

/** What the compiler says about a program. */
function errorsIn(text: string): string[] {
  const service = createService(text);
  try {
    return service
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  } finally {
    service.dispose();
  }
}

function createService(text: string): ts.LanguageService {
  return ts.createLanguageService({
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
}

const client = `import { createClient } from '@svc/client'; const svc = createClient({ apiKey: '', baseUrl: '' });`;
const types = ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'];
/** Without `*`, which the service document does not have. */
const subscribed = ['lifecycle.*', 'webhook.*', 'webhook.endpoint.*', ...types].sort();
const patterns = ['*', ...subscribed];

it('an editor suggests what an endpoint can subscribe to', () => {
  expect(suggestionsAt(`${client} svc.webhooks.endpoints.create({ url: '', subscribedEvents: ['|'] });`)).toEqual(
    subscribed,
  );
  expect(
    suggestionsAt(`${client} svc.webhooks.endpoints.update('whe_1', { subscribedEvents: ['lifecycle.*', '|'] });`),
  ).toEqual(subscribed);
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

it('an editor suggests the event types of the catalog in a comparison, although any other type compiles', () => {
  expect(
    suggestionsAt(`import type { Event } from '@svc/client'; declare const event: Event; event.type === '|';`),
  ).toEqual(types);
  expect(
    suggestionsAt(`import type { Event } from '@svc/webhooks'; declare const event: Event; event.type === '|';`),
  ).toEqual(types);
});

/** Declares an event type for both packages, and uses it. `other` is a type that is not declared. */
const declaring = (other: string) => `
  import type { Event } from '@svc/client';
  import { createWebhooks } from '@svc/webhooks';
  declare global {
    interface SvcEventTypes { 'profile.created': { id: string; type: 'profile'; url: string; plan: string } }
  }
  export const webhooks = createWebhooks({ secrets: '' });
  webhooks.on('profile.created', (event): string => event.subject.plan);
  webhooks.on('${other}', (event) => event.subject?.url);
  export const read = (event: Event) => {
    if (event.type === 'profile.created') return event.subject.plan;
    return event.type === '${other}' && event.subject?.url;
  };`;

it('declaring an event type once serves both packages', () => {
  expect(errorsIn(declaring('profile.merged'))).toEqual([]);
  expect(errorsIn(declaring('profile.merged').replaceAll(/interface SvcEventTypes \{.*\}/g, ''))).toEqual([
    "'event.subject' is possibly 'undefined'.",
    "Property 'plan' does not exist on type 'EventSubject'.",
    "'event.subject' is possibly 'undefined'.",
    expect.stringMatching(/^Property 'plan' does not exist on type/),
  ]);
  expect(suggestionsAt(`${declaring('x.y')} webhooks.on('|', () => {});`)).toEqual(
    [...patterns, 'profile.*', 'profile.created'].sort(),
  );
});

it("an editor suggests the method's paths of a request, without those that contain an id", () => {
  const paths = suggestionsAt(`${client} svc.request('GET', '|');`);
  expect(paths).toContain('/v1/webhooks/event-types');
  expect(paths.filter((path) => path.includes('{'))).toEqual([]);
  expect(suggestionsAt(`${client} svc.request('POST', '|');`)).toEqual(['/v1/webhooks/endpoints']);
});
