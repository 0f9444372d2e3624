// #region known
import { isKnownEvent, type UntypedEvent } from '@svc/webhooks';

/** Narrows an event that you stored or that another library verified. */
export function workspaceOf(event: UntypedEvent): string | undefined {
  return isKnownEvent(event) && event.type === 'lifecycle.evaluated' ? event.subject.id : undefined;
}
// #endregion known
