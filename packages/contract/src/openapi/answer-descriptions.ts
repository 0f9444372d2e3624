import type { AnswerName } from '../operation-types.ts';
import { type Description, descriptions } from './descriptions.ts';

const { ListEnvelope, Event, Identity } = descriptions;
const list = (about: string): Description => ({ about, fields: ListEnvelope.fields });

/** What each response is, and what its outer fields are. The resources describe themselves. */
export const answerDescriptions: Readonly<Record<AnswerName, Description>> = {
  WorkspaceList: list('Every workspace that the user can access.'),
  WorkspaceAnswer: { about: 'The workspace.', fields: { workspace: 'The workspace.' } },
  UpdatedWorkspaceAnswer: { about: 'The changed workspace.', fields: { workspace: 'The workspace after the change.' } },
  OrganizationList: list('Every organization that the user belongs to.'),
  Identity,
  SearchResultList: list('A page of hits, best match first.'),
  WebhookEndpointList: list('Every webhook endpoint of the workspace.'),
  WebhookEndpointAnswer: { about: 'The webhook endpoint.', fields: { endpoint: 'The webhook endpoint.' } },
  CreatedWebhookEndpoint: {
    about: 'The new webhook endpoint and its signing secret.',
    fields: { endpoint: 'The new webhook endpoint.', secret: 'Its signing secret. Keep it: it is returned only once.' },
  },
  WebhookSecretAnswer: {
    about: 'The new signing secret.',
    fields: { secret: 'The new signing secret. Keep it: it is returned only once.' },
  },
  PingAnswer: {
    about: 'The test event is queued.',
    fields: { ping: 'The queued test event.', 'ping.deliveryId': 'Id of its delivery.' },
  },
  EventTypeList: list('A page of the event catalog, ordered by type.'),
  WebhookDeliveryList: list('A page of deliveries, newest first.'),
  WebhookDeliveryAnswer: {
    about: 'The delivery with its snapshot fields.',
    fields: { delivery: 'The delivery with its snapshot fields.' },
  },
  ReplayAnswer: {
    about: 'The new delivery is queued.',
    fields: {
      delivery: 'The new delivery.',
      'delivery.endpointId': 'The endpoint that receives it.',
      'delivery.id': 'Id of the new delivery.',
    },
  },
  Event,
  EventList: list('A page of events, newest first.'),
  Ok: { about: 'The webhook endpoint is deleted.', fields: { ok: 'Always true.' } },
};
