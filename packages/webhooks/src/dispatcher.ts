import { debugLine } from './debug.ts';
import { createOnce, type DedupeOptions, type Defer } from './dedupe.ts';
import type { Delivery, KnownDelivery, UnknownDelivery } from './delivery.ts';
import { checkFunction, checkOption, isString } from './option-checks.ts';
import {
  covers,
  type EventOf,
  type KnownEventOf,
  type OtherEventOf,
  type PatternIn,
  type PatternParameter,
  patternTakes,
} from './pattern.ts';

/** The deliveries that a handler for `Pattern` receives. */
export type DeliveryOf<Pattern extends string> =
  | ([KnownEventOf<Pattern>] extends [never] ? never : KnownDelivery<KnownEventOf<Pattern>>)
  | ([OtherEventOf<Pattern>] extends [never] ? never : UnknownDelivery<OtherEventOf<Pattern>>);

export type { Defer };

/**
 * Handles an event. If the handler throws or rejects, the service sends the delivery again. `context` is the second
 * argument of `fetch`, or the framework's objects, such as `{ req, res }`.
 */
export type EventHandler<Pattern extends string, Context = unknown> = (
  event: EventOf<Pattern>,
  delivery: DeliveryOf<Pattern>,
  context: Context,
) => unknown;

/**
 * The outcome of a delivery. `handled`: the delivery's handlers ran. `unhandled`: no handler matches. `duplicate`: the
 * delivery's handlers ran earlier. `busy`: the delivery's handlers are running now. `response.ts` chooses the status of
 * the response.
 */
export type DispatchOutcome = 'handled' | 'unhandled' | 'duplicate' | 'busy';

/** Options for dispatching. */
export interface DispatchOptions<Context = unknown> extends DedupeOptions {
  /**
   * The third argument of handlers, if the caller of `fetch`, `handle` or `dispatch` does not pass a context. This
   * option also determines the type of the third argument.
   */
  context?: Context | undefined;
  /**
   * Called for a delivery if this version of the package does not know the event's type and no handler accepts the
   * event. A handler for a glob such as `lifecycle.*` receives only events in the catalog. If a handler's glob covers
   * the type of an unknown event, and there is no `onUnknown`, `console.warn` reports the event.
   */
  onUnknown?: ((delivery: UnknownDelivery) => unknown) | undefined;
}

/** Passes deliveries to handlers. */
export interface Dispatcher<Context = unknown> {
  /**
   * Registers a handler and returns the function that removes it. The handlers for an event run one after the other, in
   * the order of registration. A handler with several patterns runs once for each event, even if more than one pattern
   * covers the event.
   *
   * Editors suggest patterns for the types in the catalog, but a pattern for other events also compiles. If your
   * service adds event types, declare them in `SvcEventTypes`, so that their events are typed.
   */
  on<const Given extends string | readonly string[]>(
    pattern: PatternParameter<Given>,
    handler: EventHandler<PatternIn<Given>, Context>,
  ): () => void;
  /**
   * Runs the handlers of a verified delivery. With `dedupe`, the handlers run only once per delivery. If a handler
   * throws, the promise rejects with the handler's error.
   */
  dispatch(delivery: Delivery, context?: Context): Promise<DispatchOutcome>;
}

type Act = (event: never, delivery: never, context: never) => unknown;

type Handler = [patterns: string[], act: Act];

/** A dispatcher whose `dispatch` can return before the handlers have finished. */
interface DeferringDispatcher<Context> extends Pick<Dispatcher<Context>, 'on'> {
  dispatch(delivery: Delivery, context?: Context, defer?: Defer): Promise<DispatchOutcome | 'accepted'>;
}

/** Creates a dispatcher without handlers. If `debug` is true, the console shows how long each handler ran. */
export function createDispatcher<Context>(
  options: DispatchOptions<Context>,
  debug: boolean,
): DeferringDispatcher<Context> {
  const { onUnknown } = options;
  const once = createOnce(options);
  const handlers = new Set<Handler>();
  return {
    on(pattern, act: Act) {
      const patterns = [pattern].flat() as string[];
      checkOption(patterns.every(isString), 'Patterns must be strings');
      checkFunction(`The handler of ${pattern}`, act);
      const handler: Handler = [patterns, act];
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    async dispatch(delivery, context = options.context, defer) {
      const { known, event } = delivery;
      const asks = (pattern: string) => covers(pattern, event.type);
      const select = (test: (pattern: string) => boolean) => [...handlers].filter(([patterns]) => patterns.some(test));
      const taking = select((pattern) => asks(pattern) && patternTakes(pattern, known));
      if (!known && !taking.length) {
        if (onUnknown) taking.push([['onUnknown'], (_, unknown) => onUnknown(unknown)]);
        // A handler's glob covers this event, but the handler receives only events in the catalog. Print a warning, so
        // that the event is not lost silently.
        else if (select(asks).length) console.warn('Unexpected event. Set onUnknown:', event);
      }
      if (!taking.length) {
        // An event type may contain characters that control a terminal, so replace them.
        if (debug) debugLine(`${delivery.id}: no handler for ${event.type.replace(/[^ -~]/g, '?')}`);
        return 'unhandled';
      }
      const runAll = async () => {
        for (const [patterns, act] of taking) {
          const startedAt = Date.now();
          await act(event as never, delivery as never, context as never);
          if (debug) debugLine(`${delivery.id}: ${patterns} took ${Date.now() - startedAt} ms`);
        }
      };
      return once(delivery.id, runAll, defer);
    },
  };
}
