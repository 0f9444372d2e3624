import { type DedupeOptions, once } from './dedupe.ts';
import type { Delivery, KnownDelivery, UnknownDelivery } from './delivery.ts';
import type { KnownEvent } from './events.ts';
import { type EventOf, type EventPattern, patternTakes } from './pattern.ts';

/** The deliveries that a handler of `Pattern` gets. */
export type DeliveryOf<Pattern extends string> =
  EventOf<Pattern> extends infer Own extends KnownEvent ? KnownDelivery<Own> : Delivery;

/** Acts on an event. What it throws, or rejects with, makes the service send the delivery again. */
export type EventHandler<Pattern extends string> = (event: EventOf<Pattern>, delivery: DeliveryOf<Pattern>) => unknown;

/** What became of a delivery: its handlers ran, it has none, they ran before, or they are running just now. */
export type DispatchOutcome = 'handled' | 'unhandled' | 'duplicate' | 'busy';

/** Options of dispatching. */
export interface DispatchOptions extends DedupeOptions {
  /** Gets the deliveries that this version does not know and no handler takes. */
  onUnknown?: ((delivery: UnknownDelivery) => unknown) | undefined;
}

/** Hands deliveries to handlers. */
export interface Dispatcher {
  /** Registers a handler, and gives the function that removes it. Handlers of one event run one after the other, in the order of registration. */
  on<Pattern extends EventPattern>(pattern: Pattern, handler: EventHandler<Pattern>): () => void;
  /** Runs the handlers of a verified delivery, once if `dedupe` is given. Rejects with what a handler throws. */
  dispatch(delivery: Delivery): Promise<DispatchOutcome>;
}

type Act = (event: never, delivery: never) => unknown;

/** Creates a dispatcher without handlers. */
export function createDispatcher(options: DispatchOptions): Dispatcher {
  if (!((options.dedupeLifetimeSeconds ?? 600) >= 600)) {
    throw new RangeError('dedupeLifetimeSeconds is at least 600: a message stays valid that long.');
  }
  if (!((options.dedupeLeaseSeconds ?? 240) > 0)) throw new RangeError('dedupeLeaseSeconds is a positive number.');
  const handlers = new Set<{ pattern: string; act: Act }>();
  return {
    on(pattern, act: Act) {
      const handler = { pattern, act };
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    async dispatch(delivery) {
      const { known, event } = delivery;
      const acts = [...handlers]
        .filter(({ pattern }) => patternTakes(pattern, event.type, known))
        .map(({ act }) => act);
      if (!known && !acts.length && options.onUnknown) acts.push((_, unknown) => options.onUnknown?.(unknown));
      if (!acts.length) return 'unhandled';
      return once(delivery.id, options, async () => {
        for (const act of acts) await act(event as never, delivery as never);
      });
    },
  };
}
