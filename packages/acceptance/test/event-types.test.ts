import type { Event as ListedEvent } from '@svc/client';
import type { Event } from '@svc/webhooks';
import { expectTypeOf, test } from 'vitest';

test('a function for the events of webhooks also accepts the events that the client lists', () => {
  expectTypeOf<ListedEvent>().toExtend<Event>();
  expectTypeOf<Event>().not.toExtend<ListedEvent>();
});
