import type { EventType, Open } from '@svc/contract';
import type { Call } from '../call.ts';
import type { Event } from '../events.ts';
import type { IdParameter } from '../ids.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { ListParams } from '../params.ts';

/**
 * Which events to list.
 *
 * {@includeCode ../../test/documented/resources.ts#events}
 */
export interface ListEventsParams extends ListParams {
  /** Lists only events of exactly this type. */
  type?: Open<EventType> | undefined;
  /** Lists only events about resources of this type. */
  subjectType?: Open<'workspace' | 'webhook_endpoint'> | undefined;
  /** Lists only events about the resource with this id. */
  subjectId?: string | undefined;
}

/**
 * Operations on the events of the workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#events}
 */
export interface EventOperations {
  /** Lists events, newest first. */
  list: ListOperation<Event, [params?: ListEventsParams, options?: CallOptions]>;
  /** Retrieves an event. The event is identical to the body of its webhook requests. */
  retrieve<const Given extends string>(id: IdParameter<'evt', Given>, options?: CallOptions): Call<Event>;
}
