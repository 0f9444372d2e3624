import { type DedupeOptions, once } from './dedupe.ts';
import type { Delivery, KnownDelivery, UnknownDelivery } from './delivery.ts';
import { checkFunction, checkOption } from './option-checks.ts';
import {
  covers,
  type EventOf,
  type KnownEventOf,
  type OtherEventOf,
  type PatternIn,
  type PatternParameter,
  patternTakes,
} from './pattern.ts';
import { checkWhole } from './whole.ts';

/** The deliveries that a handler of `Pattern` gets. */
export type DeliveryOf<Pattern extends string> =
  | ([KnownEventOf<Pattern>] extends [never] ? never : KnownDelivery<KnownEventOf<Pattern>>)
  | ([OtherEventOf<Pattern>] extends [never] ? never : UnknownDelivery<OtherEventOf<Pattern>>);

/** Handles an event. If it throws or rejects, the service sends the delivery again. */
export type EventHandler<Pattern extends string> = (event: EventOf<Pattern>, delivery: DeliveryOf<Pattern>) => unknown;

/** The outcome of a delivery: its handlers ran, it has none, they ran before, or they are running now. */
export type DispatchOutcome = 'handled' | 'unhandled' | 'duplicate' | 'busy';

/** Options of dispatching. */
export interface DispatchOptions extends DedupeOptions {
  /**
   * Receives the deliveries that this version does not know and no handler takes. Without it, `console.warn` reports
   * those that a glob covers, such as `lifecycle.*`. Its handler gets only the types that it promises.
   */
  onUnknown?: ((delivery: UnknownDelivery) => unknown) | undefined;
}

/** Passes deliveries to handlers. */
export interface Dispatcher {
  /**
   * Registers a handler and returns the function that removes it. The handlers of an event run one after the other, in
   * the order of registration. With several patterns, the handler runs once for an event that they cover.
   *
   * Editors suggest the patterns of the catalog. A pattern of other events compiles too. Declare types that your service adds
   * in `SvcEventTypes`, to type their events.
   */
  on<const Given extends string | readonly string[]>(
    pattern: PatternParameter<Given>,
    handler: EventHandler<PatternIn<Given>>,
  ): () => void;
  /** Runs the handlers of a verified delivery, once if `dedupe` is given. Rejects with what a handler throws. */
  dispatch(delivery: Delivery): Promise<DispatchOutcome>;
}

type Act = (event: never, delivery: never) => unknown;

/** Creates a dispatcher without handlers. */
export function createDispatcher(options: DispatchOptions): Dispatcher {
  const { dedupeLifetimeSeconds = 345_600, dedupeLeaseSeconds = 240 } = options;
  checkWhole('dedupeLifetimeSeconds', dedupeLifetimeSeconds);
  checkWhole('dedupeLeaseSeconds', dedupeLeaseSeconds);
  // A message stays valid that long.
  if (dedupeLifetimeSeconds < 600) {
    throw new RangeError('dedupeLifetimeSeconds must be at least 600');
  }
  const { dedupe, onUnknown } = options;
  const isStore = !dedupe || [dedupe.claim, dedupe.commit, dedupe.release].every((act) => typeof act === 'function');
  checkOption(isStore, 'dedupe must be a store with claim, commit and release, such as memoryDedupe()');
  if (onUnknown) checkFunction('onUnknown', onUnknown);
  const handlers = new Set<{ patterns: string[]; act: Act }>();
  return {
    on(pattern, act: Act) {
      const handler = { patterns: [pattern].flat() as string[], act };
      const areTexts = handler.patterns.every((one) => typeof one === 'string');
      checkOption(areTexts, 'A pattern must be a string');
      checkFunction(`The handler of ${pattern}`, act);
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    async dispatch(delivery) {
      const { known, event } = delivery;
      const covering = (patterns: string[]) => patterns.filter((pattern) => covers(pattern, event.type));
      const asked = [...handlers].filter(({ patterns }) => covering(patterns).length);
      const takes = (pattern: string) => patternTakes(pattern, known);
      const acts = asked.filter(({ patterns }) => covering(patterns).some(takes)).map(({ act }) => act);
      if (!known && !acts.length) {
        if (onUnknown) acts.push((_, unknown) => onUnknown(unknown));
        // A handler asked for it, so it must not get lost silently.
        else if (asked.length) console.warn('Unexpected event. Set onUnknown:', event);
      }
      if (!acts.length) return 'unhandled';
      return once(delivery.id, options, async () => {
        for (const act of acts) await act(event as never, delivery as never);
      });
    },
  };
}
