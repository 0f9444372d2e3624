import { type DedupeOptions, once } from './dedupe.ts';
import type { Delivery, KnownDelivery, UnknownDelivery } from './delivery.ts';
import type { KnownEvent } from './events.ts';
import { covers, type EventOf, type EventPattern, patternTakes } from './pattern.ts';
import { checkWhole } from './whole.ts';

/** The deliveries that a handler of `Pattern` gets. */
export type DeliveryOf<Pattern extends string> =
  EventOf<Pattern> extends infer Own extends KnownEvent ? KnownDelivery<Own> : Delivery;

/** Acts on an event. What it throws, or rejects with, makes the service send the delivery again. */
export type EventHandler<Pattern extends string> = (event: EventOf<Pattern>, delivery: DeliveryOf<Pattern>) => unknown;

/** What became of a delivery: its handlers ran, it has none, they ran before, or they are running just now. */
export type DispatchOutcome = 'handled' | 'unhandled' | 'duplicate' | 'busy';

/** Options of dispatching. */
export interface DispatchOptions extends DedupeOptions {
  /**
   * Gets the deliveries that this version does not know and no handler takes. Unless it is given, the console is told of those
   * whose type a handler names, as the handler is promised another shape.
   */
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
  const { dedupeLifetimeSeconds = 345_600, dedupeLeaseSeconds = 240 } = options;
  checkWhole('dedupeLifetimeSeconds', dedupeLifetimeSeconds);
  checkWhole('dedupeLeaseSeconds', dedupeLeaseSeconds);
  if (dedupeLifetimeSeconds < 600) {
    throw new RangeError('dedupeLifetimeSeconds is at least 600: a message stays valid that long');
  }
  const handlers = new Set<{ pattern: string; act: Act }>();
  return {
    on(pattern, act: Act) {
      const handler = { pattern, act };
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    async dispatch(delivery) {
      const { known, event } = delivery;
      const asked = [...handlers].filter(({ pattern }) => covers(pattern, event.type));
      const acts = asked.filter(({ pattern }) => patternTakes(pattern, known)).map(({ act }) => act);
      if (!known && !acts.length) {
        if (options.onUnknown) acts.push((_, unknown) => options.onUnknown?.(unknown));
        // Somebody wanted it: it is not lost without a word.
        else if (asked.length) console.warn('Webhook not as this version knows it, give onUnknown:', event);
      }
      if (!acts.length) return 'unhandled';
      return once(delivery.id, options, async () => {
        for (const act of acts) await act(event as never, delivery as never);
      });
    },
  };
}
