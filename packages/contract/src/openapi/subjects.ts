import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** The schemas of any subject, and of each form of subject. */
export const subjectSchemas = {
  EventSubject: EventSubjectSchema,
  WorkspaceSubject,
  WebhookEndpointSubject,
  OtherSubject,
};
