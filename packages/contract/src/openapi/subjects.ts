import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** The schemas of an event's subject, and of each form that a subject can have. */
export const subjectSchemas = {
  EventSubject: EventSubjectSchema,
  WorkspaceSubject,
  WebhookEndpointSubject,
  OtherSubject,
};
