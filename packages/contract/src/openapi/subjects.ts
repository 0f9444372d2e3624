import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** Each form that a subject can have is also a schema. */
export const subjectSchemas = {
  EventSubject: EventSubjectSchema,
  WorkspaceSubject,
  WebhookEndpointSubject,
  OtherSubject,
};
