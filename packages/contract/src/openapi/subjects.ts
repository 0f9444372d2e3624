import { EventSubjectSchema } from '../schemas/event.ts';

const [WorkspaceSubject, WebhookEndpointSubject, OtherSubject] = EventSubjectSchema.options;

/** What an event can be about. */
export const subjectSchemas = { WorkspaceSubject, WebhookEndpointSubject, OtherSubject };
