import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import type { Sender } from './sender.ts';
import type { Followable, Followed } from './subjects.ts';

/** Retrieves what an event is about, in its current state (service document, "Delivery format"). */
export type Follow = <const Subject extends Followable>(
  subject: Subject,
  options?: CallOptions,
) => Call<Followed<Subject>>;

/** The field of the answer that holds the resource, by the subject's type. */
const FIELDS: Record<string, string> = { workspace: 'workspace', webhook_endpoint: 'endpoint' };

/** `follow` for one sender. */
export function createFollow({ settings, call }: Sender): Follow {
  return (subject, options) => {
    const { type, url } = subject;
    const pick = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
    // A path goes under the base URL, as those of operations do; a whole URL has to be of the service's origin.
    const path = /^\/(?![/\\])/.test(url) ? settings.baseUrl + url : url;
    return call({ operation: 'follow', method: 'GET', path, ...(pick && { pick }) }, options);
  };
}
