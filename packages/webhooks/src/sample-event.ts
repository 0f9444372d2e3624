import type { EventType, KnownEvent, UntypedEvent } from './events.ts';

/** An event to sign: a type of the catalog, of which a sample is made, or an event of your own. */
export type SampleEvent = EventType | UntypedEvent;

/** Makes an event of a type of the catalog, with an id of its own and created now. */
export function sampleEvent<Type extends EventType>(type: Type): Extract<KnownEvent, { type: Type }> {
  const id = crypto.randomUUID().replaceAll('-', '').toUpperCase();
  const envelope = { id: `evt_${id}`, type, created: new Date().toISOString() };
  const subjects: { [Own in EventType]: object } = {
    'lifecycle.evaluated': { subject: { id: 'wsp_sample', type: 'workspace', url: '/v1/workspaces/wsp_sample' } },
    'webhook.endpoint.auto_disabled': {
      subject: { id: 'whe_sample', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_sample' },
    },
    'webhook.ping': {},
  };
  return { ...envelope, ...subjects[type] } as Extract<KnownEvent, { type: Type }>;
}
