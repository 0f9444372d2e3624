/** What a document says about an object and each of its fields. The fields of an inner object have paths: `user.id`. */
export interface Description {
  about: string;
  fields: Readonly<Record<string, string>>;
}

const workspace = {
  id: 'Id of the workspace.',
  name: 'Display name.',
  slug: 'URL-safe. Unique within the organization.',
  timezone: 'IANA time zone for calendar days. Null means UTC.',
  weekStartsOn: '0 (Sunday) to 6 (Saturday). Null means Monday.',
};

const delivery = {
  id: 'Id of the delivery. It is also the `webhook-id` of each attempt.',
  workspaceId: "The endpoint's workspace.",
  endpointId: 'The endpoint that receives it.',
  eventId: 'The event that it delivers. A replay has a new id here. It need not start with `evt_`.',
  eventType: 'Type of the event.',
  status: 'The state of the delivery.',
  attempt: 'Finished HTTP attempts.',
  createdAt: 'When the delivery was queued.',
  deliveredAt: 'Time of the first success. Null while pending or failed.',
  error: 'Short text about the last failed attempt. Null after a success and before the first attempt.',
  responseStatus:
    "The receiver's HTTP status on the last attempt. Null before the first attempt, and if no response arrived.",
  responseTimeMs: 'Duration of the last attempt in milliseconds. Null before the first attempt.',
};

const endpointUrl = 'Absolute https URL, at most 2,048 characters, without user info and fragment.';
const subscriptions = '1 to 100 entries. Each is an event type of the catalog or a pattern such as `lifecycle.*`.';
const reserved = 'Pinned payload version. Reserved.';

const subject = (what: string) => ({ id: `Id of the ${what}.`, type: `Always \`${what.replace(' ', '_')}\`.` });

/**
 * The resources, bodies and queries of the API, by the names of their interfaces. This is the source of the OpenAPI
 * document. The docstrings of the interfaces say the same, for editors: a test compares them. No package that goes into
 * a browser imports this file.
 */
export const descriptions = {
  Workspace: {
    about: "A tenant: one product's data source, its profiles and their lifecycle.",
    fields: {
      ...workspace,
      organizationId: 'The organization that owns it.',
      createdAt: 'When the workspace was created.',
      updatedAt: 'When the workspace was last changed.',
    },
  },
  UpdatedWorkspace: {
    about: 'The response of PATCH: the fields that it can change, and the id.',
    fields: workspace,
  },
  UpdateWorkspaceBody: {
    about: 'Body of PATCH. Omitted fields do not change.',
    fields: {
      name: '1 to 120 characters after white space at both ends is removed.',
      slug: 'Words of `[a-z0-9]` joined by single `-` or `_`, 1 to 120 characters.',
      timezone: 'IANA time zone, 1 to 64 characters. Null resets to UTC.',
      weekStartsOn: '0 (Sunday) to 6 (Saturday). Null resets to Monday.',
    },
  },
  Organization: {
    about: 'An organization that the caller belongs to.',
    fields: {
      id: 'Id of the organization.',
      slug: 'Short name for URLs.',
      name: 'Display name.',
      logo: 'Absolute URL of a picture, or null. The service document does not show the type.',
      role: "The caller's role in the organization.",
      permissions: "The caller's effective permissions in the organization.",
      workspaces: 'The workspaces that the caller can access. Only with `expand=workspaces`.',
    },
  },
  EmbeddedWorkspace: {
    about: 'A workspace inside an organization, with `expand=workspaces`.',
    fields: {
      id: 'Id of the workspace.',
      slug: 'Short name for URLs. Unique within the organization.',
      name: 'Display name.',
      image: 'Absolute URL of a picture, or null. The service document does not show the type.',
      role: "The caller's effective role in this workspace.",
      implicit:
        'True if the role comes from the organization, false if it comes from a workspace override. The service document does not show the meaning.',
      permissions: "The caller's effective permissions in this workspace.",
    },
  },
  Identity: {
    about: "The caller. The service document does not show this shape. It is the project's.",
    fields: {
      credential: 'The credential of the request.',
      'credential.id': 'Id of the credential.',
      'credential.kind': 'The kind of credential.',
      'credential.test': 'Whether it is a test credential: its prefix ends with `test_`.',
      'credential.createdAt': 'When the credential was created.',
      user: 'The user whom a token represents. Null for an API key.',
      'user.id': 'Id of the user.',
      'user.email': 'Email address of the user.',
      'user.name': 'Display name of the user.',
      workspace: "The API key's workspace, or the workspace that a token's request names. Null otherwise.",
      'workspace.id': 'Id of the workspace.',
      'workspace.organizationId': 'The organization that owns the workspace.',
      'workspace.slug': 'Short name for URLs. Unique within the organization.',
      'workspace.name': 'Display name of the workspace.',
      'workspace.role': "The user's effective role in the workspace. Null for an API key.",
      'workspace.permissions': 'What the caller may do in the workspace.',
    },
  },
  SearchResult: {
    about: "A search hit. Best matches come first. The service document does not show this shape. It is the project's.",
    fields: {
      id: 'Id of the profile or the webhook endpoint.',
      type: 'What was found.',
      title: "A profile's name, email address or external id. An endpoint's URL.",
      snippet: "The field of a profile that matched. An endpoint's description. Null if there is none.",
      url: 'Path of the endpoint that retrieves the resource. Null if there is none.',
    },
  },
  WebhookEndpoint: {
    about: 'A receiver of signed event POSTs.',
    fields: {
      id: 'Id of the endpoint.',
      workspaceId: 'The workspace that owns it.',
      url: 'Absolute URL that receives the POSTs, as given.',
      description: 'Label of at most 500 characters. Null or absent if there is none.',
      subscribedEvents: 'Event types, or patterns such as `lifecycle.*`.',
      active: 'Whether it receives deliveries. An inactive endpoint stays in lists but receives nothing.',
      apiVersion: reserved,
      createdAt: 'When the endpoint was created.',
      updatedAt: 'When the endpoint was last changed.',
    },
  },
  CreateWebhookEndpointBody: {
    about: 'Body of POST.',
    fields: {
      url: endpointUrl,
      subscribedEvents: subscriptions,
      description: 'A label of at most 500 characters.',
      apiVersion: reserved,
    },
  },
  UpdateWebhookEndpointBody: {
    about: 'Body of PATCH. Omitted fields do not change.',
    fields: {
      url: endpointUrl,
      subscribedEvents: subscriptions,
      description: 'A label of at most 500 characters. Null clears it.',
      apiVersion: reserved,
      active: 'False stops new deliveries. True resumes them and resets the count of consecutive failures.',
    },
  },
  WebhookSecret: {
    about: 'A signing secret, as returned on create and rotate.',
    fields: {
      id: 'Id of the secret.',
      secret: 'The raw secret: `whsec_` and base64url. Returned only once.',
      secretPreview: 'A shortened form that is safe to show.',
      createdAt: 'When the secret was created.',
    },
  },
  WebhookDelivery: { about: 'One event on its way to one endpoint, with all its attempts.', fields: delivery },
  WebhookDeliveryDetail: {
    about: 'A delivery with its snapshot fields, as returned when retrieving a single one.',
    fields: {
      ...delivery,
      nextAttemptAt: 'When the next attempt is due. Null or absent if none is scheduled.',
      requestBody: 'Body of the latest attempt. Null or absent before the first attempt.',
      requestHeaders: 'Headers of the latest attempt. Null or absent before the first attempt.',
      responseBody: "The receiver's body, at most 64 KiB. Null or absent if no response arrived.",
      responseHeaders: "The receiver's headers. Null or absent if no response arrived.",
      subject: 'What the event is about. Absent for `webhook.ping`.',
    },
  },
  DeliverySubject: {
    about: "What a delivery's event is about.",
    fields: { id: 'Id of the resource.', type: 'Type of the resource, for example `workspace`.' },
  },
  Event: {
    about: 'The envelope that is POSTed to receivers and read back through the events endpoints.',
    fields: {
      id: 'Id of the event. Every delivery of the event has the same id in its body.',
      type: 'Type of the event. A receiver must accept types that it does not know.',
      created: 'When the event happened, to the millisecond.',
      subject:
        'What the event is about. Absent for `webhook.ping`. Never a snapshot: follow `url` for the current state.',
    },
  },
  WorkspaceSubject: {
    about: 'Subject of `lifecycle.evaluated`.',
    fields: {
      ...subject('workspace'),
      url: 'The path of the workspace, for example `/v1/workspaces/wsp_…`. Not a whole URL.',
    },
  },
  WebhookEndpointSubject: {
    about:
      'Subject of `webhook.endpoint.auto_disabled` from the reference server. The service document does not show it.',
    fields: {
      ...subject('webhook endpoint'),
      url: 'The path of the endpoint, for example `/v1/webhooks/endpoints/whe_…`. Not a whole URL.',
    },
  },
  OtherSubject: {
    about: 'Subject of an event type that was added later.',
    fields: {
      id: 'Id of the resource.',
      type: 'Type of the resource.',
      url: 'The path of the resource. Not a whole URL.',
    },
  },
  EventTypeItem: {
    about: 'An item of the event catalog.',
    fields: {
      type: 'The event type.',
      category: 'The group of the event type, for people.',
      description: 'When the event happens.',
    },
  },
  ErrorBody: {
    about: 'The body of every response that is not 2xx.',
    fields: {
      error: 'What went wrong.',
      'error.code': 'Stable, for use by programs. The service may add codes.',
      'error.message': 'For people. The wording may change.',
    },
  },
  ListEnvelope: {
    about: 'A page of a list.',
    fields: {
      data: 'The items of this page, newest first unless the operation says otherwise.',
      nextPageUrl: 'URL of the next page: absolute, or a path. Null at the end. Follow it unchanged.',
      previousPageUrl: 'URL of the previous page: absolute, or a path. Null on the first page. Follow it unchanged.',
    },
  },
  ListQuery: {
    about: 'Query of every list.',
    fields: { limit: 'Items on a page: 1 to 100. Default: 20.', page: 'An opaque token from a page URL.' },
  },
  ExpandQuery: {
    about: 'Query of a list that can embed related resources.',
    fields: { expand: 'Names of the fields to embed, comma-separated.' },
  },
  SearchQuery: {
    about: "Query of the search. The service document does not show it. It is the project's.",
    fields: {
      q: '1 to 200 characters, at most ten words. Every word must match the beginning of a word, ignoring case and accents.',
      type: 'Only hits of this type.',
    },
  },
  ListWebhookDeliveriesQuery: {
    about: "Query of the list. The service document does not show the names of the filters. They are this project's.",
    fields: {
      endpointId: 'Only deliveries to this endpoint.',
      status: 'Only deliveries in this status.',
      eventType: 'Only deliveries of this event type. Exact match.',
      createdFrom: 'Only deliveries queued at this time or later. ISO 8601 with `Z` or an offset.',
      createdTo: 'Only deliveries queued at this time or earlier. ISO 8601 with `Z` or an offset.',
    },
  },
  ListEventsQuery: {
    about: 'Query of the list.',
    fields: {
      type: 'Only events of this type. Exact match.',
      subjectType: 'Only events about a resource of this type.',
      subjectId: 'Only events about this resource.',
    },
  },
} as const satisfies Record<string, Description>;
