import { join } from 'node:path';
import { readDeclaredComments } from '@svc/testing';
import { expect, it } from 'vitest';

const comments = readDeclaredComments(join(import.meta.dirname, '../../dist'));

it.each([
  'ErrorCode',
  'ListDeliveriesParams',
  'IdentityWorkspace',
  'ApiKeyIdentity',
  'UserIdentity',
  'MemberIdentity',
  'SearchParams',
  'SearchResult',
  'SearchType',
  'EmbeddedWorkspace',
  'OrganizationPermission',
  'WorkspacePermission',
  'RateLimit',
  'ResponseInfo',
  'EndpointAutoDisabledEvent',
  'WebhookEndpointSubject',
])('%s says what the service document does not show', (name) => {
  expect(comments.of(name)).not.toBe('');
  expect(comments.sayNotShown(name)).toBe(true);
});

it.each(['Workspace', 'WebhookEndpoint', 'ListEventsParams', 'WorkspaceSubject'])('%s has nothing to say', (name) => {
  expect(comments.of(name)).not.toBe('');
  expect(comments.sayNotShown(name)).toBe(false);
});
