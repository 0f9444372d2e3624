import type { z } from 'zod';
import { EVENT_CATALOG } from '../event-catalog.ts';
import type { BodyName, QueryName, ResponseName } from '../operation-types.ts';
import { ErrorBodySchema } from '../schemas/error.ts';
import { resourceSchemas } from '../schemas/resources.ts';
import { DeliverySubjectSchema } from '../schemas/webhook-delivery.ts';
import { type Description, operationDescriptions, typeDescriptions } from './descriptions.ts';
import { errorExamples } from './errors.ts';
import { delivered, deliveredDetail, events, retrying, retryingDetail } from './examples/deliveries.ts';
import {
  embeddedWorkspace,
  identityOfKey,
  identityOfToken,
  organization,
  searchResults,
  updatedWorkspace,
  webhookEndpoint,
  webhookSecret,
  workspace,
} from './examples/resources.ts';
import { annotate, createNamedSchemas, entitle, type JsonSchema } from './json-schema.ts';
import { payloadSchemas, payloads } from './payloads.ts';
import { subjectSchemas } from './subjects.ts';

const [autoDisabled, , , evaluated] = events;

const schemas = {
  ...resourceSchemas,
  ...subjectSchemas,
  ...payloadSchemas,
  DeliverySubject: DeliverySubjectSchema,
  Error: ErrorBodySchema,
};
type ComponentName = keyof typeof schemas;

const described: { readonly [Name in ComponentName]: Description } = {
  ...typeDescriptions,
  ...payloads.descriptions,
  JsonValue: { about: 'Any JSON value.', fields: {} },
  Error: typeDescriptions.ErrorBody,
};

const samples: { readonly [Name in ComponentName]: readonly z.infer<(typeof schemas)[Name]>[] } = {
  Workspace: [workspace],
  UpdatedWorkspace: [updatedWorkspace],
  Organization: [organization],
  EmbeddedWorkspace: [embeddedWorkspace],
  Identity: [identityOfToken, identityOfKey],
  SearchResult: searchResults,
  WebhookEndpoint: [webhookEndpoint],
  WebhookSecret: [webhookSecret],
  WebhookDelivery: [delivered, retrying],
  WebhookDeliveryDetail: [deliveredDetail, retryingDetail],
  Event: [evaluated],
  EventTypeItem: EVENT_CATALOG.slice(0, 1),
  JsonValue: [evaluated],
  EventSubject: [evaluated.subject, autoDisabled.subject],
  WorkspaceSubject: [evaluated.subject],
  WebhookEndpointSubject: [autoDisabled.subject],
  OtherSubject: [
    {
      id: 'inv_01KGH1C6R0B0XW3VZ2BW8RM0DX',
      type: 'invoice',
      url: '/v1/invoices/inv_01KGH1C6R0B0XW3VZ2BW8RM0DX',
    },
  ],
  DeliverySubject: [{ id: evaluated.subject.id, type: evaluated.subject.type }],
  ...payloads.samples,
  Error: Object.values(errorExamples('VALIDATION'))
    .map(({ value }) => value)
    .slice(0, 1),
};

const named = createNamedSchemas(schemas);

/** Returns the value of `components.schemas`. */
export const componentSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(named.all()).map(([name, schema]) => {
      const { about, fields } = described[name as ComponentName];
      const examples = samples[name as ComponentName];
      return [name, { ...annotate(schema, fields, examples), description: about, examples }];
    }),
  );

/**
 * Converts a schema. A named schema becomes a reference. Other schemas get a title, which code generators use as the
 * type's name.
 */
export const describeInline = (
  name: QueryName | BodyName | ResponseName,
  schema: z.ZodType,
  values: readonly unknown[],
): JsonSchema => entitle(name, annotate(named.inline(schema), operationDescriptions, values, `${name}.`));
