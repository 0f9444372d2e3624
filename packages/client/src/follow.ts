import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import type { Sender } from './sender.ts';
import type { Followable, Followed } from './subjects.ts';

/**
 * Retrieves what an event is about, in its current state (service document, "Delivery format").
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Follow = <const Subject extends Followable>(
  subject: Subject,
  options?: CallOptions,
) => Call<Followed<Subject>>;

/** `follow` for one sender. */
export function createFollow({ bind }: Sender): Follow {
  return ({ type, url }, options) => {
    const pick = type === 'webhook_endpoint' ? 'endpoint' : type === 'workspace' ? type : undefined;
    // A URL without its scheme names another host: with one, it is refused for its origin.
    return bind<(options?: CallOptions) => Call<never>>('GET', url[1] === '/' ? `https:${url}` : url, pick)(options);
  };
}
