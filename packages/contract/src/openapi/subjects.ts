import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** What an event can be about, and each of its forms. */
export const subjectSchemas = {
  EventSubject: EventSubjectSchema,
  WorkspaceSubject,
  WebhookEndpointSubject,
  OtherSubject,
};
