import { join } from 'node:path';
import { readDeclaredComments } from '@svc/testing';
import { expect, it } from 'vitest';

const comments = readDeclaredComments(join(import.meta.dirname, '../../dist'));

it('EndpointAutoDisabledEvent says what the service document does not show', () => {
  expect(comments.sayNotShown('EndpointAutoDisabledEvent')).toBe(true);
});

it.each(['LifecycleEvaluatedEvent', 'PingEvent', 'WorkspaceSubject'])('%s has nothing to say', (name) => {
  expect(comments.of(name)).not.toBe('');
  expect(comments.sayNotShown(name)).toBe(false);
});
