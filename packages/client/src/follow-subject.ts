import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { routeOf } from './route.ts';
import type { Sender } from './sender.ts';
import type { Followable, Followed } from './subjects.ts';

/**
 * Retrieves the resource that an event is about, in its current state.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Follow = <const Subject extends Followable>(
  subject: Subject,
  options?: CallOptions,
) => Call<Followed<Subject>>;

/**
 * Maps each subject type to the response field that contains the resource. The object has no prototype, because a type
 * may have any name, even `constructor`.
 */
const FIELDS = { __proto__: null, workspace: 'workspace', webhook_endpoint: 'endpoint' } as unknown as Record<
  string,
  string | undefined
>;

export function createFollow({ call, settings }: Sender): Follow {
  return (subject, options) => {
    const url = `${subject?.url}`;
    return call(
      { operation: `GET ${routeOf(url)}`, url: () => resolveUrl(url, settings.address()), options },
      FIELDS[subject?.type] ?? 'all',
    );
  };
}
