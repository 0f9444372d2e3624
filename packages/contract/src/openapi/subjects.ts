import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** The schema of any subject, and a schema for each kind of subject. */
export const subjectSchemas = {
  EventSubject: EventSubjectSchema,
  WorkspaceSubject,
  WebhookEndpointSubject,
  OtherSubject,
};
