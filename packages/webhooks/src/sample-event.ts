import type { EventType, KnownEvent, UntypedEvent } from './events.ts';
import { randomId } from './random-id.ts';

/** An event to sign: your own event, or a type in the catalog. If you pass a type, a sample event is created. */
export type SampleEvent = EventType | UntypedEvent;

/** Creates an event of a catalog type, with a new id and the current time. */
export function sampleEvent<Type extends EventType>(type: Type): Extract<KnownEvent, { type: Type }> {
  const envelope = { id: `evt_${randomId()}`, type, created: new Date().toISOString() };
  const subjects: { [Own in EventType]: object } = {
    'lifecycle.evaluated': { subject: { id: 'wsp_sample', type: 'workspace', url: '/v1/workspaces/wsp_sample' } },
    'webhook.endpoint.auto_disabled': {
      subject: { id: 'whe_sample', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_sample' },
    },
    'webhook.ping': {},
  };
  return { ...envelope, ...subjects[type] } as Extract<KnownEvent, { type: Type }>;
}
