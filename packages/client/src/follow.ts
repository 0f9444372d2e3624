import type { Call } from './call.ts';
import { EVENT } from './operations/events.ts';
import { WEBHOOK_DELIVERY } from './operations/webhook-deliveries.ts';
import { WEBHOOK_ENDPOINT } from './operations/webhook-endpoints.ts';
import { WORKSPACE } from './operations/workspaces.ts';
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

/** The field of the answer that is the resource, by the type of subject; a type may have any name, `constructor` too. */
const FIELDS = { __proto__: null, workspace: 'workspace', webhook_endpoint: 'endpoint' } as unknown as Record<
  string,
  string | undefined
>;

/** The operations that retrieve a resource: an answer is named and validated as that of the one that its URL is of. */
const RETRIEVES = [WORKSPACE, WEBHOOK_ENDPOINT, WEBHOOK_DELIVERY, EVENT];

/** `follow` for one sender. */
export function createFollow({ bind }: Sender): Follow {
  return (subject, options) => {
    // A URL without its scheme names another host: with one, it is refused for its origin.
    const at = `${subject?.url}`.replace(/^.\//, 'https:$&');
    const retrieve = bind<(options?: CallOptions) => Call<never>>(
      'GET',
      templateOf(at),
      FIELDS[subject?.type],
      false,
      at,
    );
    return retrieve(options);
  };
}

/** The path that the API reference gives for a URL; where it has none, the URL's own without the id, so without a query. */
function templateOf(url: string): string {
  const path = url.replace(/^\w+:\/\/[^/]*|[?#].*/g, '');
  // Ids have an underscore: `…/endpoints/event-types` is none of the endpoints.
  const isOf = (template: string) => new RegExp(`${template.replace(/{.*}/, '[^/]+_[^/]+')}$`).test(path);
  return RETRIEVES.find(isOf) ?? path.replace(/[^/]*$/, '{id}');
}
